import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { toMarkdown } from '../../../../src/blocks/bubbles/rich-text/to-markdown.ts'
import { textBubble } from '../../../../src/blocks/bubbles/text-bubble.ts'
import { runBlock } from '../../../support/run-block.ts'
import { parseWire } from '../../../support/wire.ts'
import { a, img, p } from './shorthand.ts'

/** Every address that a reader of CommonMark finds in a text. */
function destinationsIn(markdown: string): string[] {
  const addresses: string[] = []
  const visit = (node: Nodes) => {
    if ('url' in node) addresses.push(node.url)
    if ('children' in node) node.children.forEach(visit)
  }
  visit(fromMarkdown(markdown))
  return addresses
}

/** Whether an address runs, as browsers read it: without blanks before it, line ends and tabs. */
function runs(address: string): boolean {
  const [, scheme = '', rest = ''] = /^\s*([a-z]\w*):(.*)/is.exec(address.replace(/[\t\r\n]/g, '')) ?? []
  if (scheme.toLowerCase() === 'data') return !rest.startsWith('image/png,')
  return ['javascript', 'vbscript', 'file', 'blob'].includes(scheme.toLowerCase())
}

/** What opens, closes and disguises an address, so that it meets itself in any order. */
const fragment = fc.constantFrom(
  ...[
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '](',
    ']:',
    '![',
    '[x]',
    '[x]:',
    '"',
    "'",
    '`',
    '\\',
    '!',
    '*',
    '_',
    '~~',
  ],
  ...['\n', '\n\n', '\r', '\t', ' ', '\u00a0', '\n> ', '\n- ', '    ', '&', ';', '#', ':', ',', '/'],
  ...['javascript:', 'javascript', 'java\tscript:', 'javascript&colon;', '&#x6a;avascript:', 'JaVaScript\\:'],
  ...['vbscript:', 'file:', 'data:text/html,x', 'data:image/png,x', 'data:image/svg+xml,x', 'alert(1)'],
  ...['https://a.example', 'a', 'x y', '<u>', '</u>', '&Tab;', '&NewLine;', '&lt;', '%20'],
)
const hostile = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''))

const texts = [
  '{{V}}',
  'a {{V}} b {{V}}',
  '[go]({{V}}) [{{V}}](u)',
  '<{{V}}>',
  '[{{V}}]: {{V}}',
  '[x][{{V}}]',
  '`{{V}}`',
]
const leaf = fc.record(
  { text: fc.constantFrom(...texts), bold: fc.boolean(), code: fc.boolean() },
  { requiredKeys: ['text'] },
)
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record(
      {
        type: fc.constantFrom('p', 'a', 'ul', 'li', 'blockquote', 'code_block', 'img', 'chip', 'h2'),
        url: fc.constantFrom('{{V}}', 'https://a.example/?q={{V}}', 'a{{V}}b'),
        caption: fc.array(fc.record({ text: hostile }), { maxLength: 1 }),
        children: fc.array(tie('node'), { maxLength: 3 }),
      },
      { requiredKeys: ['type', 'children'] },
    ),
  ),
}))

describe('the addresses in any markdown', () => {
  it('run nothing when they are followed, whatever a value holds and wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 3 }), hostile, (richText, V) => {
        const block = { id: 'b1', type: 'text', content: { richText } }
        const { message } = runBlock(textBubble, block, {
          variables: { V },
          textBubbleContentFormat: 'markdown',
        })
        const { markdown } = (parseWire(message!.json) as { content: { markdown: string } }).content
        expect(destinationsIn(markdown).filter(runs)).toEqual([])
      }),
      { numRuns: 800 },
    )
  })

  it('run nothing in text of any form', () => {
    fc.assert(
      fc.property(hostile, hostile, (first, second) => {
        expect(destinationsIn(toMarkdown([p(first), p(second)])).filter(runs)).toEqual([])
      }),
      { numRuns: 800 },
    )
  })

  it('are the ones that were meant', () => {
    /** Spelled one way, whichever of its characters are encoded. */
    const spelled = (address: string) =>
      address.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    const harmless = hostile.map((text) => `https://a.example/${text.replace(/[^!-~ ()<>[\]`\\&\n\t]/g, '')}`)
    fc.assert(
      fc.property(harmless, (address) => {
        const markdown = toMarkdown([p('a ', a(address, 'go'), ' b ', img(address, 'c'), ' `d`')])
        expect(destinationsIn(markdown).map(spelled)).toEqual([spelled(address), spelled(address)])
      }),
      { numRuns: 500 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textBubble } from '../../../../src/blocks/bubbles/text-bubble.ts'
import { runBlock } from '../../../support/run-block.ts'
import { parseWire } from '../../../support/wire.ts'

const text = fc.oneof(fc.constantFrom('{{V}}', 'Hi {{V}}!', '{{V}}{{V}}', '', '\n', ' b ', '`'), fc.string())
const type = fc.constantFrom(
  ...[
    'p',
    'a',
    'ul',
    'ol',
    'li',
    'lic',
    'h1',
    'blockquote',
    'code_block',
    'code_line',
    'hr',
    'img',
    'variable',
  ],
)

/** Rich text as an editor makes it, as it might be broken, and anything at all. */
const { node } = fc.letrec((tie) => ({
  leaf: fc.record(
    { text: fc.oneof(text, fc.jsonValue()), bold: fc.boolean(), code: fc.boolean(), color: fc.jsonValue() },
    { requiredKeys: ['text'] },
  ),
  element: fc.record(
    {
      type,
      children: fc.array(tie('node'), { maxLength: 4 }),
      url: fc.oneof(text, fc.jsonValue()),
      caption: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  ),
  node: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('element'), fc.jsonValue()),
}))

const values = fc.oneof(
  fc.string(),
  fc.constantFrom('- a\n- b', '# T\n\nx', '![i](u)', '[d](u)', '> q', '---', '', '**b**', 'a\n\nb'),
)

describe('any rich text', () => {
  it.each(['richText', 'markdown'] as const)('with any value makes a message that is JSON: %s', (format) => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), values, (richText, V) => {
        const block = { id: 'b1', type: 'text', content: { richText } }
        const given = { variables: { V }, textBubbleContentFormat: format }
        const { message } = runBlock(textBubble, block, given)
        const sent = message && parseWire(message.json)
        const kind = format === 'markdown' ? expect.any(String) : expect.any(Array)
        expect(sent).toEqual({ id: 'b1', type: 'text', content: { type: format, [format]: kind } })
      }),
      { numRuns: 800 },
    )
  })
})

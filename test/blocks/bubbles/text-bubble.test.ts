import { describe, expect, it } from 'vitest'
import type { Message } from '../../../schemas/message.ts'
import { compileRichText } from '../../../src/blocks/bubbles/rich-text/compile.ts'
import { expandRichText } from '../../../src/blocks/bubbles/rich-text/rich-values.ts'
import { textBubble } from '../../../src/blocks/bubbles/text-bubble.ts'
import { createScope } from '../../../src/engine/javascript/evaluate.ts'
import type { CompileContext } from '../../../src/engine/model/block-handler.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { prepareBlock, runBlock, type Surroundings } from '../../support/run-block.ts'
import { a, item, p, t, ul } from './rich-text/shorthand.ts'

const bubble = (richText?: unknown) => ({
  id: 'b1',
  type: 'text',
  content: richText === undefined ? {} : { richText },
})

function show(
  richText: unknown,
  variables: Record<string, Value>,
  given: Surroundings = {},
): Message | undefined {
  return runBlock(textBubble, bubble(richText), { ...given, variables }).message?.value
}

const markdown = { textBubbleContentFormat: 'markdown' } as const

const twice = (text: string) => [text, text] as const

/** All that a reader sees of a rich text. */
function visible(node: unknown): string {
  if (Array.isArray(node)) return node.map(visible).join('')
  const { text, children } = node as { text?: string; children?: unknown }
  return text ?? visible(children)
}

describe('a text bubble', () => {
  it('shows each line of a plain text as a paragraph, up to ten thousand', () => {
    const shown = (content: string) => {
      const block = { ...bubble(), content }
      const { message } = runBlock(textBubble, block)
      return message && 'richText' in message.value.content && message.value.content.richText
    }
    expect(shown('a\r\n\n*b*')).toEqual([p(t('a')), p(t('')), p(t('*b*'))])
    expect(shown('\n'.repeat(9_999))).toHaveLength(10_000)
    expect(shown('a\n'.repeat(10_000))).toEqual([p(t('a\n'.repeat(10_000)))])
  })

  it('shows nothing before it is filled in', () => {
    expect(runBlock(textBubble, { id: 'b1', type: 'text' })).toEqual({})
  })

  it.each(['richText', 'markdown'] as const)('without text is rich text when %s is asked for', (format) => {
    expect(runBlock(textBubble, bubble(), { textBubbleContentFormat: format }).message?.value).toEqual({
      id: 'b1',
      type: 'text',
      content: { type: 'richText', richText: [] },
    })
  })

  it.each([
    ['no nodes', [], '', []],
    ['an unset variable', [p('{{X}}')], '', []],
  ])('with %s still sends a message', (_, richText, asMarkdown, asRichText) => {
    expect(show(richText, { X: null })?.content).toEqual({ type: 'richText', richText: asRichText })
    expect(show(richText, { X: null }, markdown)?.content).toEqual({ type: 'markdown', markdown: asMarkdown })
  })

  it('leaves out its edge', () => {
    const block = { ...bubble([]), outgoingEdgeId: 'e1' }
    expect(Object.keys(runBlock(textBubble, block).message?.value ?? {})).toEqual(['id', 'type', 'content'])
  })

  it.each<[string, unknown[], Record<string, Value>, string, string]>([
    ['an unset variable within a line', [p('A {{X}} B')], { X: null }, 'A  B', 'A  B'],
    ['a list', [p('{{X}}')], { X: ['a', 'b'] }, '["a","b"]', '["a","b"]'],
    ['markup in a bold value', [p(t('{{X}}', 'bold'))], { X: '**x** y' }, 'x y', '**x y**'],
    ['a link within a leaf', [p('see {{X}}')], { X: '[d](https://x.example)' }, 'see d', 'see d'],
    ['an unset address', [a('{{X}}', 'go')], { X: null }, 'go', '[go]()'],
    ['a lone value in an item', [ul(item('{{X}}'))], { X: 'Ann' }, 'Ann', '* Ann'],
    ['a value between leaves', [p('Hi ', '{{X}}', t('!', 'bold'))], { X: 'Ann' }, 'Hi Ann!', 'Hi Ann**!**'],
  ])('shows the same text in both formats: %s', (_, richText, variables, text, inMarkdown) => {
    const content = show(richText, variables)?.content as { richText: unknown }
    expect(visible(content.richText)).toBe(text)
    expect(show(richText, variables, markdown)?.content).toEqual({ type: 'markdown', markdown: inMarkdown })
  })

  it.each<[string, unknown[], Record<string, Value>, string, string]>([
    ['of the author', [a('javascript:alert(1)', 'go')], {}, 'go', '[go]()'],
    ['of a visitor', [a('{{X}}', 'go')], { X: 'javascript:alert(1)' }, 'go', '[go]()'],
    ['made of both', [a('java{{X}}', 'go')], { X: 'script:alert(1)' }, 'go', '[go]()'],
    ['in a value', [p('{{X}}')], { X: '[go](javascript:alert(1)) ![a](vbscript:x)' }, 'go a', 'go a'],
    ['that is a value', [p('{{X}}')], { X: '<javascript:alert(1)>' }, ...twice('javascript:alert(1)')],
    ['escaped in a value', [p('Hi {{X}}')], { X: '\\<vbscript:x>' }, 'Hi <vbscript:x>', 'Hi <>'],
  ])('leads nowhere by an address %s that would run', (_, richText, variables, text, inMarkdown) => {
    const content = show(richText, variables)?.content as { richText: unknown }
    expect(visible(content.richText)).toBe(text)
    expect(JSON.stringify(content)).not.toMatch(/"url":"[^"]/)
    expect(show(richText, variables, markdown)?.content).toEqual({ type: 'markdown', markdown: inMarkdown })
  })

  it.each(['richText', 'markdown'] as const)('without variables shares one message: %s', (format) => {
    const prepared = prepareBlock(textBubble, bubble([p('Hi')]), { textBubbleContentFormat: format })
    const { message } = prepared.run()
    expect(message).toBeDefined()
    expect(prepared.run().message).toBe(message)
    expect(Object.isFrozen(message?.value.content)).toBe(true)
  })

  it('with variables follows their values', () => {
    const prepared = prepareBlock(textBubble, bubble([p('Hi {{V}}')]), {
      variables: { V: 'Ann' },
      ...markdown,
    })
    expect(prepared.run().message?.value.content).toEqual({ type: 'markdown', markdown: 'Hi Ann' })
    prepared.variables.set('vV', 'Bob')
    expect(prepared.run().message?.value.content).toEqual({ type: 'markdown', markdown: 'Hi Bob' })
  })

  it('shows the documented example', () => {
    const richText = [
      p('Hello {{Name}}, you have {{Count}} parcels.'),
      p(''),
      p('Track it ', a('https://track.example/{{Code}}', 'here'), '.'),
      ul(item(t('fast', 'bold')), item(t('cheap', 'italic'))),
    ]
    const variables = { Name: 'Ada', Count: '3', Code: 'ZX9' }
    expect(show(richText, variables)?.content).toEqual({
      type: 'richText',
      richText: [
        p('Hello ', 'Ada', ', you have ', '3', ' parcels.'),
        p(''),
        p('Track it ', a('https://track.example/ZX9', 'here'), '.'),
        ul(item(t('fast', 'bold')), item(t('cheap', 'italic'))),
      ],
    })
    expect(show(richText, variables, markdown)?.content).toEqual({
      type: 'markdown',
      markdown:
        'Hello Ada, you have 3 parcels.\n\nTrack it [here](https://track.example/ZX9).\n* **fast**\n* _cheap_',
    })
  })

  it('writes expanded lines as markdown', () => {
    const richText = [p('Dear {{N}},'), p(''), p('{{Body}}'), p('{{Ps}}'), p('Bye')]
    const variables = { N: 'Ada', Body: 'Two items:\n- tea\n- milk', Ps: null }
    expect(show(richText, variables, markdown)?.content).toEqual({
      type: 'markdown',
      markdown: 'Dear Ada,\n\nTwo items:\n* tea\n* milk\nBye',
    })
  })
})

describe('code in a text bubble', () => {
  it.each<[string, string, unknown[]]>([
    ['a value of its own', '{{={{V}}.toUpperCase()=}}', [p('ANN')]],
    ['no value for null', '{{=null=}}', []],
    ['no value for undefined', '{{=undefined=}}', []],
    ['a number', 'n: {{=1 + 1=}}', [p('n: ', '2')]],
    ['a list as JSON', '{{={{L}}=}}', [p('["a","b"]')]],
    ['markdown', '{{="**b**"=}}', [p(t('b', 'bold'))]],
    ['its source when it fails', '{{=boom(=}}', [p('boom(')]],
    ['what touches a value', '{{=1=}}{{V}}', [p('1', 'Ann')]],
    ['no placeholders', 'a {{="{"+"{V}"+"}"=}}', [p('a ', '{{V}}')]],
  ])('shows %s', (_, text, richText) => {
    expect(show([p(text)], { V: 'Ann', L: ['a', 'b'] })?.content).toEqual({ type: 'richText', richText })
  })
})

describe('the budget of a turn', () => {
  it('is charged for every value', () => {
    const table = new VariableTable([{ id: 'v', name: 'V', value: 'x'.repeat(1000) }])
    const context = {
      variables: table,
      text: (text: string) => parseTemplate(text, table),
    } as unknown as CompileContext
    const richText = compileRichText([p('{{V}}', '{{V}}', a('{{V}}', 'go'))], context, '')
    let spent = 0
    const spend = (characters: number) => {
      spent += characters
    }
    expandRichText(richText, createScope({ variables: new Variables(table), log: () => {}, spend }), false)
    expect(spent).toBeGreaterThan(3000)
    expect(spent).toBeLessThan(3400)
  })

  it('is charged for each copy of a leaf with many keys, and what it says stays the same', () => {
    const more = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]))
    const leaf = (text: string) => ({ ...more, text })
    const table = new VariableTable([{ id: 'v', name: 'V', value: 'x' }])
    const context = {
      variables: table,
      text: (text: string) => parseTemplate(text, table),
    } as unknown as CompileContext
    const richText = compileRichText([p(leaf('a{{V}}b{{V}}c'))], context, '')
    let spent = 0
    const spend = (characters: number) => {
      spent += characters
    }
    const shown = expandRichText(
      richText,
      createScope({ variables: new Variables(table), log: () => {}, spend }),
      false,
    )
    expect(shown).toEqual([p(leaf('a'), 'x', leaf('b'), 'x', leaf('c'))])
    expect(spent).toBeGreaterThan(300)
  })
})

import { describe, expect, it } from 'vitest'
import { readMarkdownTemplate } from '../../../../src/blocks/bubbles/rich-text/markdown-template.ts'
import { paragraph } from '../../../../src/blocks/bubbles/rich-text/nodes.ts'

const link = (url: string) => ({ type: 'a', url, children: [{ text: 'x' }] })

describe('a text of an author as markdown', () => {
  it.each([
    ['{{**a**}} {{_b_}}', [{ text: '{{**a**}} {{_b_}}' }]],
    ['**{{a}}{{b}}**', [{ bold: true, text: '{{a}}{{b}}' }]],
    [
      '{{= "**" + {{a}} + "**" =}} **b**',
      [{ text: '{{= "**" + {{a}} + "**" =}} ' }, { bold: true, text: 'b' }],
    ],
    ['[x](https://a.example/{{a}}?{{b c}})', [link('https://a.example/{{a}}?{{b c}}')]],
    ['{{= **a** {{b', [{ text: '{{= ' }, { bold: true, text: 'a' }, { text: ' {{b' }]],
    // Characters that stand in for placeholders while a text is read are text where an author writes them.
    [
      '{{a}} **b** \uE0000\uE000 \uE0000\uE001',
      [{ text: '{{a}} ' }, { bold: true, text: 'b' }, { text: ' \uE0000\uE000 \uE0000\uE001' }],
    ],
    [
      '\uE000\uE001\uE002 **b** {{_a_ b}}',
      [
        { text: '\uE000\uE001\uE002 ' },
        { bold: true, text: 'b' },
        { text: ' {{' },
        { italic: true, text: 'a' },
        { text: ' b}}' },
      ],
    ],
  ])('reads %j', (text, children) => {
    expect(readMarkdownTemplate(text)).toEqual([paragraph(children)])
  })

  it.each([
    ['a\nb', [paragraph([{ text: 'a' }]), paragraph([{ text: 'b' }])]],
    [
      'a **b\nc** d',
      [
        paragraph([{ text: 'a ' }, { bold: true, text: 'b' }]),
        paragraph([{ bold: true, text: 'c' }, { text: ' d' }]),
      ],
    ],
    ['a\n\nb', [paragraph([{ text: 'a' }]), paragraph([{ text: '' }]), paragraph([{ text: 'b' }])]],
    ['a\\\nb', [paragraph([{ text: 'a' }, { text: '\n' }, { text: 'b' }])]],
    ['{{=\n1 =}} b', [paragraph([{ text: '{{=\n1 =}} b' }])]],
  ])('makes a paragraph of each line: %j', (text, nodes) => {
    expect(readMarkdownTemplate(text)).toEqual(nodes)
  })

  it('is shown as it is written where it is longer than any value', () => {
    const text = `**a** {{b}} ${'x'.repeat(65_536)}`
    expect(readMarkdownTemplate(text)).toEqual([paragraph([{ text }])])
  })
})

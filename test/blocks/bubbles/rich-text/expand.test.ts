import { describe, expect, it } from 'vitest'
import type { Node } from '../../../../src/blocks/bubbles/rich-text/nodes.ts'
import { textBubble } from '../../../../src/blocks/bubbles/text-bubble.ts'
import type { Value } from '../../../../src/engine/values/value.ts'
import { runBlock, type Surroundings } from '../../../support/run-block.ts'
import { a, code, el, h1, hr, img, item, li, lic, ol, p, quote, t, ul } from './shorthand.ts'

function expand(richText: unknown[], variables: Record<string, Value>, given: Surroundings = {}): unknown {
  const block = { id: 'b1', type: 'text', content: { richText } }
  const content = runBlock(textBubble, block, { ...given, variables }).message?.value.content
  return (content as { richText: unknown }).richText
}

const table: [string, Value, Node[], Node[]][] = [
  ['plain text', 'Ann', [p('Ann')], [t('Ann')]],
  ['no value', null, [], []],
  ['an empty text', '', [], []],
  ['a text of blanks', ' \n ', [], []],
  ['a list', ['a', 'b'], [p('["a","b"]')], [t('["a","b"]')]],
  ['a line break', 'L1\nL2', [p('L1\nL2')], [t('L1\nL2')]],
  ['a blank line', 'L1\n\nL2', [p('L1'), p(''), p('L2')], [t('L1'), t('\n\n'), t('L2')]],
  [
    'two blank lines',
    'L1\n\n\nL2',
    [p('L1'), p(''), p(''), p('L2')],
    [t('L1'), t('\n\n'), t('\n\n'), t('L2')],
  ],
  [
    'emphasis',
    '**b** and *i*',
    [p(t('b', 'bold'), ' and ', t('i', 'italic'))],
    [t('b', 'bold'), t(' and '), t('i', 'italic')],
  ],
  ['a link', '[doc](https://x.example)', [p(a('https://x.example', 'doc'))], [t('doc')]],
  [
    'a bare address',
    'https://x.example?a=1&b=2',
    [p('https://x.example?a=1&b=2')],
    [t('https://x.example?a=1&b=2')],
  ],
  [
    'an autolink',
    '<https://x.example>',
    [p(a('https://x.example', 'https://x.example'))],
    [t('https://x.example')],
  ],
  ['a list in markdown', '- one\n- two', [ul(item('one'), item('two'))], [t('one'), t('two')]],
  ['a heading', '# Head\ntext', [h1('Head'), p('text')], [t('Head'), t('text')]],
  ['a quote', '> q', [quote('q')], [t('q')]],
  ['a quote of two paragraphs', '> a\n>\n> b', [quote('a', '\n', 'b')], [t('a'), t('\n'), t('b')]],
  ['a quoted list', '> - a', [quote(ul(item('a')))], [t('a')]],
  ['an empty quote', '>', [quote('')], [t('')]],
  ['a rule', '---', [hr], [t('')]],
  ['a code block', '```js\na\nb\n```', [code('js', 'a', 'b')], [t('a\nb')]],
  ['indented code', '    x', [code(undefined, 'x')], [t('x')]],
  ['inline code', 'run `x`', [p('run ', t('x', 'code'))], [t('run '), t('x', 'code')]],
  ['an ordinal', '1. January', [ol(item('January'))], [t('January')]],
  ['a number after a dash', '- 5', [ul(item('5'))], [t('5')]],
  ['an empty list item', '-', [ul(item(''))], [t('')]],
  ['a list in a list', '- a\n  - b', [ul(li(lic('a'), ul(item('b'))))], [t('a'), t('b')]],
  ['paragraphs in an item', '- a\n\n  b', [ul(li(lic('a'), lic('b')))], [t('a'), t('b')]],
  ['text below a list', '- a\n\nb', [ul(item('a')), p(''), p('b')], [t('a'), t('\n\n'), t('b')]],
  ['blanks around', '  padded  ', [p('padded')], [t('padded')]],
  ['escapes', '\\*no\\*', [p('*no*')], [t('*no*')]],
  ['an entity', 'a &amp; b', [p('a & b')], [t('a & b')]],
  ['strikethrough', '~~s~~', [p('~~s~~')], [t('~~s~~')]],
  ['a table', '|a|\n|-|', [p('|a|\n|-|')], [t('|a|\n|-|')]],
  ['a task', '- [ ] t', [ul(item('[ ] t'))], [t('[ ] t')]],
  ['a picture', '![alt](https://x.example/i.png)', [img('https://x.example/i.png', 'alt')], [t('')]],
  ['a picture without a text', '![](i.png)', [img('i.png')], [t('')]],
  ['a picture within a line', 'a ![x](i) b', [p('a '), img('i', 'x'), p(' b')], [t('a '), t(''), t(' b')]],
  ['a linked picture', '[![x](i)](u)', [p(a('u', 'x'))], [t('x')]],
  ['a hard break', 'a  \nb', [p('a', '\n', 'b')], [t('a'), t('\n'), t('b')]],
  ['inline HTML', '<b>x</b>', [p('<b>', 'x', '</b>')], [t('<b>'), t('x'), t('</b>')]],
  ['an HTML block', '<div>\n**x**\n</div>', [p('<div>\n**x**\n</div>')], [t('<div>\n**x**\n</div>')]],
  ['a reference definition', '[n]: later', [p('[n]: later')], [t('[n]: later')]],
  ...['+33 6', '#123', 'a < b', '{x}', '5 * 3', 'snake_case_x', '{{V}}', '<', '-5'].map(
    (text): [string, Value, Node[], Node[]] => [`the literal ${text}`, text, [p(text)], [t(text)]],
  ),
]

describe('a value that has a line to itself', () => {
  it.each(table)('becomes nodes: %s', (_, V, alone) => {
    expect(expand([p('{{V}}')], { V })).toEqual(alone)
  })
})

describe('a value within a line', () => {
  it.each(table)('becomes leaves: %s', (_, V, __, inline) => {
    expect(expand([p('Hi {{V}}!')], { V })).toEqual([p('Hi ', ...inline, '!')])
  })
})

describe('where a value stands', () => {
  const bold = (text: string) => t(text, 'bold')
  it.each<[string, Node[], Value, Node[]]>([
    ['keeps the line of a bold value', [p(bold('{{V}}'))], 'Ann', [p(bold('Ann'))]],
    ['keeps the marks that a bold value has', [p(bold('{{V}}'))], '**x** y', [p(bold('x'), bold(' y'))]],
    ['adds marks to those of the value', [p(bold('{{V}}'))], '*x*', [p(t('x', 'bold', 'italic'))]],
    ['takes the blocks from a bold value', [p(bold('{{V}}'))], '- a\n- b', [p(bold('a'), bold('b'))]],
    ['drops the line of a bold value that is unset', [p(bold('{{V}}'))], null, []],
    [
      'does not mark what a code leaf stands for',
      [p(t('x {{V}}', 'code'))],
      'Ann',
      [p(t('x ', 'code'), 'Ann')],
    ],
    ['keeps one line for three leaves', [p('Hi ', '{{V}}', '!')], 'Ann', [p('Hi ', 'Ann', '!')]],
    ['keeps a link beside other leaves', [p('Hi ', '{{V}}')], '[d](u)', [p('Hi ', a('u', 'd'))]],
    ['flattens blocks beside other leaves', [p('Hi ', '{{V}}')], '- a\n- b', [p('Hi ', 'a', 'b')]],
    ['keeps a picture beside other leaves', [p('Hi ', '{{V}}')], '![x](i)', [p('Hi ', img('i', 'x'))]],
    ['loses a link within a leaf', [p('see {{V}}')], '[d](https://x.example)', [p('see ', 'd')]],
    ['keeps the element of two values', [p('{{V}}{{V}}')], '1', [p('1', '1')]],
    ['keeps the element of two values that are unset', [p('{{V}}{{V}}')], null, [p()]],
    ['flattens before a trailing blank', [p('{{V}} ')], '- a\n- b', [p('a', 'b', ' ')]],
    ['never gives up a link', [a('u', '{{V}}')], 'Ann', [a('u', 'Ann')]],
    [
      'puts only text into a link',
      [p(a('u', el('b')('{{V}}', '.')))],
      '[x](v)',
      [p(a('u', el('b')('x', '.')))],
    ],
    ['keeps an unset link', [p(a('u', '{{V}}'))], null, [p(a('u'))]],
    ['keeps a heading', [h1('{{V}}')], 'Ann', [h1('Ann')]],
    ['replaces a heading by blocks', [h1('{{V}}')], 'a\n\nb', [p('a'), p(''), p('b')]],
    ['replaces a heading by a list', [h1('{{V}}')], '- a', [ul(item('a'))]],
    ['drops a heading that says nothing', [h1('{{V}}')], null, []],
    ['fills a heading', [h1('Hi {{V}}')], 'Ann', [h1('Hi ', 'Ann')]],
    ['keeps the line of an item', [ul(item('{{V}}'))], 'Ann', [ul(item('Ann'))]],
    ['keeps the lines of an item', [ul(item('{{V}}'))], 'a\n\nb', [ul(li(lic('a'), lic(''), lic('b')))]],
    ['nests a list in an item', [ul(item('{{V}}'))], '- a', [ul(li(ul(item('a'))))]],
    ['empties an item', [ul(item('{{V}}'))], null, [ul(li())]],
    ['fills an item', [ul(item('Hi {{V}}'))], 'Ann', [ul(item('Hi ', 'Ann'))]],
    ['keeps what follows a dollar', [p(`Cost $${'{{V}}'} now`)], '5', [p('Cost $', '5', ' now')]],
    [
      'keeps other keys of a line',
      [el('p', { align: 'end' })('{{V}}')],
      'a\n\nb',
      ['a', '', 'b'].map((text) => el('p', { align: 'end' })(text)),
    ],
    ['takes leaves without an element', [t('a '), t('{{V}}')], '- b', [t('a '), ul(item('b'))]],
    ['fills addresses', [p(a('https://x.example/{{V}}', 'go'))], 'k', [p(a('https://x.example/k', 'go'))]],
    ['empties addresses', [p(a('{{V}}', 'go'))], null, [p(a('', 'go'))]],
  ])('%s', (_, richText, V, expected) => {
    expect(expand(richText, { V })).toEqual(expected)
  })

  it('leaves nothing of an unset line among others', () => {
    const richText = [p('Dear {{N}},'), p(''), p('{{Body}}'), p('{{Ps}}'), p('Bye')]
    expect(expand(richText, { N: 'Ada', Body: 'Two items:\n- tea\n- milk', Ps: null })).toEqual([
      p('Dear ', 'Ada', ','),
      p(''),
      p('Two items:'),
      ul(item('tea'), item('milk')),
      p('Bye'),
    ])
  })

  it('does not read a value as placeholders', () => {
    expect(expand([p('a {{V}}')], { V: '{{W}}', W: 'w' })).toEqual([p('a ', '{{W}}')])
  })
})

describe('nodes of a definition', () => {
  it.each<[string, unknown, unknown[]]>([
    ['gives an element without children none', { type: 'hr' }, [{ type: 'hr', children: [] }]],
    [
      'gives an element with broken children none',
      { type: 'p', children: 'x' },
      [{ type: 'p', children: [] }],
    ],
    [
      'keeps keys that it does not know',
      { type: 'a', url: 'u', target: '_blank', children: [] },
      [{ type: 'a', url: 'u', target: '_blank', children: [] }],
    ],
    [
      'takes what has text for a leaf',
      { text: 'x', children: [{ text: 'y' }] },
      [{ text: 'x', children: [{ text: 'y' }] }],
    ],
    ['reads a text that is none as empty', { text: 5 }, [{ text: '' }]],
    [
      'drops an address that is no text, as a client would read it as one',
      { type: 'a', url: ['javascript:alert(1)'], children: [] },
      [{ type: 'a', children: [] }],
    ],
    [
      'drops an address that stands beside a text',
      { text: 'go', type: 'a', url: 'javascript:alert(1)' },
      [{ text: 'go', type: 'a' }],
    ],
    [
      'passes old inline variables through',
      { type: 'inline-variable', variableId: 'v', children: [] },
      [{ type: 'inline-variable', variableId: 'v', children: [] }],
    ],
    ['drops null', null, []],
    ['drops a list', [{ text: 'x' }], []],
    ['drops a bare text', 'x', []],
  ])('%s', (_, node, expected) => {
    expect(expand([node], {})).toEqual(expected)
  })
})

describe('lists in flows below version 6', () => {
  it.each<[string, Value, Node[]]>([
    ['show their last element', ['a', 'b'], [p('b')]],
    ['show nothing when the last element is null', ['a', null], []],
    ['show nothing when empty', [], []],
    ['do not concern texts', 'x', [p('x')]],
  ])('%s', (_, L, expected) => {
    expect(expand([p('{{L}}')], { L }, { isLegacy: true })).toEqual(expected)
    expect(expand([p('{{= {{L}} =}}')], { L }, { isLegacy: true })).toEqual(expected)
  })

  it('show their JSON in addresses', () => {
    expect(expand([a('/{{L}}', 'go')], { L: ['x', 'y'] }, { isLegacy: true })).toEqual([
      a('/["x","y"]', 'go'),
    ])
  })
})

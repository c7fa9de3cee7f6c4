import { describe, expect, it } from 'vitest'
import type { Node } from '../../../../src/blocks/bubbles/rich-text/nodes.ts'
import { toMarkdown } from '../../../../src/blocks/bubbles/rich-text/to-markdown.ts'
import { a, code, el, h1, hr, img, item, li, lic, ol, p, quote, t, ul } from './shorthand.ts'

describe('marks', () => {
  const styled = (text: string, style: object) => ({ ...style, text })
  it.each<[string, Node[], string]>([
    ['text verbatim', [t('5 * 3 _x_ <b> & #')], '5 * 3 _x_ <b> & #'],
    ['bold', [t('x', 'bold')], '**x**'],
    ['italic', [t('x', 'italic')], '_x_'],
    ['underline', [t('x', 'underline')], '<u>x</u>'],
    ['strikethrough', [t('x', 'strikethrough')], '~~x~~'],
    ['bold and italic', [t('x', 'bold', 'italic')], '_**x**_'],
    ['bold and underline', [t('x', 'bold', 'underline')], '**<u>x</u>**'],
    ['all three', [t('x', 'bold', 'italic', 'underline')], '_**<u>x</u>**_'],
    ['equal neighbours', [t('a', 'bold'), t('b', 'bold')], '**ab**'],
    ['unequal neighbours', [t('a', 'bold'), t('b', 'italic')], '**a**_b_'],
    ['a mark that is off like one that is absent', [styled('a', { bold: false }), t('b')], 'ab'],
    ['a blank at the end', [t('bold ', 'bold'), t('z')], '**bold** z'],
    ['a blank at the start', [t('a'), t(' b', 'bold')], 'a **b**'],
    ['blanks on both sides', [t('a'), t('\u00a0\nb c ', 'italic', 'bold'), t('d')], 'a\u00a0\n_**b c**_ d'],
    ['code between blanks in a mark', [t('a'), t(' b ', 'code', 'underline'), t('c')], 'a <u>`b`</u> c'],
    ['blanks only', [t('a'), t('  ', 'bold'), t('b')], 'a  b'],
    ['code', [t('x', 'code')], '`x`'],
    ['blanks in code', [t('x ', 'code')], '`x `'],
    ['backquotes in code', [t('a`', 'code')], '`` a` ``'],
    ['empty code', [t('', 'code')], ''],
    ['bold code', [t('x', 'bold', 'code')], '**`x`**'],
    ['a colour', [styled('x', { color: 'red' })], '<span style="color: red;">x</span>'],
    [
      'a background',
      [styled('x', { backgroundColor: '#ff0' })],
      '<span style="background-color: #ff0;">x</span>',
    ],
    ['a colour that is none', [styled('x', { color: '"><script>' })], 'x'],
    ['a hard break', [t('a'), t('\n'), t('b')], 'a\\\nb'],
    ['a hard break between bold texts', [t('a', 'bold'), t('\n', 'bold'), t('b', 'bold')], '**a**\\\n**b**'],
  ])('writes %s', (_, leaves, expected) => {
    expect(toMarkdown([p(...leaves)])).toBe(expected)
  })
})

describe('links and pictures', () => {
  it.each<[string, Node, string]>([
    ['a link', a('https://x.example', 'go'), '[go](https://x.example)'],
    ['a link whose text is the address', a('u', 'u'), '[u](u)'],
    [
      'a link whose address has parentheses',
      a('https://x.example/a_(b)', 'go'),
      '[go](https://x.example/a_(b))',
    ],
    ['a link whose address ends too soon', a('a) b("\n', 'go'), '[go](a%29%20b%28"%0A)'],
    [
      'a link whose address has more than its host in brackets',
      a('http://[::1]:8/[x]', 'go'),
      '[go](http://[::1]:8/%5Bx%5D)',
    ],
    ['a link whose address has markup', a('a<b`c\\d&lt;e&f', 'go'), '[go](a%3Cb%60c\\\\d&amp;lt;e&f)'],
    ['marks in a link', a('u', t('x', 'bold')), '[**x**](u)'],
    ['a link without text', a('u', ''), 'u'],
    ['a link to nowhere', a('', 'go'), '[go]()'],
    ['a link without text that is no address', a('a](b c)', ''), 'a%5D(b%20c)'],
    ['a link without an address', el('a')('go'), 'go'],
    ['a picture', img('u', 'alt'), '![alt](u "alt")'],
    ['a picture without a text', img('u'), '![](u)'],
    ['quotes in the text of a picture', img('u', 'a "b"\\'), '![a "b"\\](u "a \\"b\\"\\\\")'],
    ['a picture without an address', el('img')(), '![]()'],
    ['a picture whose caption is broken', el('img', { url: 'u', caption: [null, { text: 5 }] })(), '![](u)'],
  ])('writes %s', (_, node, expected) => {
    expect(toMarkdown([p(node)])).toBe(expected)
    expect(toMarkdown([node])).toBe(expected)
  })
})

describe('text that reads as a link', () => {
  it.each([
    ['[x](https://x.example)', '[x](https://x.example)'],
    ['[x](javascript:alert)', '[x]()'],
    ['[x](<java\tscript:alert>)', '[x](<>)'],
    ['[x]( &#x6a;avascript&colon;alert)', '[x]( )'],
    ['[x](javascript\\:alert)', '[x]()'],
    ['<javascript:alert> <b> a < b: c', '<> <b> a < b: c'],
    ['[x]\n\n[x]:\n javascript:alert', '[x]\n\n[x]:\n '],
    ['![x](data:text/html,y) ![x](data:image/png;base64,AA)', '![x]() ![x](data:image/png;base64,AA)'],
    ['[x](&constructor;:y)', '[x](&constructor;:y)'],
    ['[a](b [x](javascript:y)', '[a](b [x]()'],
    ['<<vbscript:y> ]:](file:y)', '<<> ]:]()'],
    ['[x](javascript:y\n>\tjavascript:z)', '[x](\n>\t)'],
    ['![x](data:image/svg+xml,y) ![x](data:image/s&#118;g+xml,y)', '![x]() ![x]()'],
    [`![x](data:image/${'&#0000115;'.repeat(60)},y)`, '![x]()'],
  ])('is not escaped, but runs nothing: %j', (text, expected) => {
    expect(toMarkdown([p(text)])).toBe(expected)
    expect(toMarkdown([p(t(text.slice(0, 5)), t(text.slice(5), 'color'))])).toBe(expected)
  })
})

describe('blocks', () => {
  it.each<[string, Node[], string]>([
    ['nothing', [], ''],
    ['two lines', [p('A'), p('B')], 'A\nB'],
    ['a blank line', [p('A'), p(''), p('B')], 'A\n\nB'],
    ['two blank lines', [p('A'), p(''), p(''), p('B')], 'A\n\n\nB'],
    ['a blank line at the start', [p(''), p('A')], '\nA'],
    ['one blank line at the end', [p('A'), p('')], 'A'],
    ['two blank lines at the end', [p('A'), p(''), p('')], 'A\n'],
    ['a line without children', [p('A'), p(), p('B')], 'A\n\nB'],
    ['lines around a list', [p('Before'), ul(item('One')), p('After')], 'Before\n* One\nAfter'],
    ['a list by a list', [ul(item('One')), ol(item('1'))], '* One\n\n1. 1'],
    ['a line below a heading', [h1('T'), p('x')], '# T\nx'],
    ['a heading by a heading', [h1('T'), el('h6')('U')], '# T\n\n###### U'],
    ['a quote by a list', [quote('q'), ul(item('a'))], '> q\n\n* a'],
    ['every line of a quote', [quote('a\nb')], '> a\n> b'],
    ['blocks in a quote', [quote(h1('T'), ul(item('a')))], '> # T\n>\n> * a'],
    ['a rule', [hr, h1('T')], '***\n\n# T'],
    ['an ordered list from one', [ol(item('a'), item('b'))], '1. a\n2. b'],
    ['a list in a list', [ul(li(lic('a'), ul(item('b'))), item('c'))], '* a\n  * b\n* c'],
    ['a list in an ordered list', [ol(li(lic('a'), ul(item('b'))))], '1. a\n   * b'],
    ['an empty item', [ul(li())], '*'],
    ['an item that holds a paragraph', [ul(li(p('Ann')))], '* Ann'],
    ['an item that holds text', [ul(li('Ann'), t('Bob'))], '* Ann\n* Bob'],
    ['an item outside of a list', [item('a'), item('b')], '* a\n* b'],
    ['a line of an item outside of one', [lic('a')], 'a'],
    ['code', [code('js', 'a', '', 'b')], '```js\na\n\nb\n```'],
    ['code without a language', [code(undefined, 'x')], '```\nx\n```'],
    ['code that holds a fence', [code('', '```')], '````\n```\n````'],
    ['code that holds plain text', [el('code_block')('a')], '```\na\n```'],
    ['code in an item', [ul(li(lic('a'), code('', 'x', '', 'y')))], '* a\n  ```\n  x\n\n  y\n  ```'],
    ['text outside of a line', [t('a'), t('b', 'bold'), p('c')], 'a**b**\nc'],
    ['a paragraph within a line', [p('Hi ', p('Ann'), t('!', 'bold'))], 'Hi Ann**!**'],
    ['no empty list', [p('a'), ul(), p('b')], 'a\nb'],
    [
      'the text of an unknown element',
      [p('a'), el('box')('x', t('y', 'bold')), p('b', el('chip')('c'))],
      'a\nx**y**\nbc',
    ],
    [
      'the blocks of an unknown element',
      [h1('a'), el('box')(el('box')(ul(item('b'))), quote('c'))],
      '# a\n\n* b\n\n> c',
    ],
    ['nothing of an unknown element that says nothing', [p('a'), el('box')(''), el('box')(), p('b')], 'a\nb'],
    [
      'the link and the picture of an unknown element',
      [p(el('chip')(a('u', 'go'))), el('box')(img('v'))],
      '[go](u)\n![](v)',
    ],
  ])('writes %s', (_, nodes, expected) => {
    expect(toMarkdown(nodes)).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { compileHeadCode } from '../../../src/engine/compile/head-html.ts'

const parseTopLevelNodes = (html: string) => compileHeadCode(html)?.()

describe('custom head code', () => {
  it.each([
    ['one element', '<script src="a.js"></script>', '<script src="a.js"></script>'],
    ['elements on one line', '<meta name="a"><link rel="b">', '<meta name="a">\n<link rel="b">'],
    ['stray text around elements', 'one <meta name="a"> two <!-- c --> three', '<meta name="a">\n<!-- c -->'],
    ['text inside elements, which stays', '<style>a { b: c }</style>', '<style>a { b: c }</style>'],
    ['what stands inside an element', '<div> x <b>y</b></div>', '<div> x <b>y</b></div>'],
    [
      'the case and quotes of its author',
      "<Script Async data-a='1'>x</Script>",
      "<Script Async data-a='1'>x</Script>",
    ],
    ['code that compares', '<script>if (a < b) c()</script>', '<script>if (a < b) c()</script>'],
    ['an element that is not closed', 'a<div>b<p>c', '<div>b<p>c'],
    ['a script that is not closed', '<script>a()', '<script>a()</script>'],
    ['an element that closes itself', '<meta charset="utf-8" />', '<meta charset="utf-8" />'],
  ])('keeps %s', (_, html, expected) => {
    expect(parseTopLevelNodes(html)).toBe(expected)
  })

  it('is none when it is longer than 8 Ki characters, whatever it holds', () => {
    const tag = '<meta name="a">'
    const longest = tag + ' '.repeat(8 * 1024 - tag.length)
    expect(parseTopLevelNodes(longest)).toBe(tag)
    expect(parseTopLevelNodes(`${longest} `)).toBeUndefined()
    expect(parseTopLevelNodes('<b>'.repeat(2_500_000))).toBeUndefined()
  })

  it('is the same each time it is asked for', () => {
    const headCode = compileHeadCode('a<i>b')
    expect([headCode?.(), headCode?.()]).toEqual(['<i>b', '<i>b'])
  })

  it('counts as there until it is parsed, unless it is only text', () => {
    expect(compileHeadCode('</script>')).toBeDefined()
    expect(compileHeadCode('a < b')).toBeUndefined()
  })

  it.each([[''], ['  \n'], ['just text'], ['</script>'], ['&amp;']])(
    'is none when it has no element: %j',
    (html) => {
      expect(parseTopLevelNodes(html)).toBeUndefined()
    },
  )
})

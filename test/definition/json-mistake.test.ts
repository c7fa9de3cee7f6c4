import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mistakeInJson } from '../../src/definition/json-mistake.ts'

describe('the place of a mistake in JSON', () => {
  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ["{'a':1}", 1, 2],
    ['  ', 1, 3],
    ['undefined', 1, 1],
    ['{"a":tru}', 1, 9],
    ['{"a":01}', 1, 7],
    ['[1.]', 1, 4],
    ['[-]', 1, 3],
    ['[1e+]', 1, 5],
    ['[1 2]', 1, 4],
    ['[1,]', 1, 4],
    ['[,1]', 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":1]', 1, 7],
    ['{1:2}', 1, 2],
    ['{"a":"\\x"}', 1, 8],
    ['{"a":"\\u12g4"}', 1, 11],
    ['{"a":"x\ny"}', 1, 8],
    ['{"a":"x', 1, 8],
    ['{} {}', 1, 4],
    ['null,', 1, 5],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['\uFEFF{}', 1, 1],
  ])('in %j is %i:%i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(mistakeInJson(text)).toEqual({ line, column })
  })

  it('is that of a character that no JSON has, wherever it comes', () => {
    const texts = fc.json({ maxDepth: 4 })
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 0, max: 3 }), (text, nth, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), undefined, indent)
        const offset = nth % (spaced.length + 1)
        const before = spaced.slice(0, offset).split('\n')
        const column = (before.at(-1) as string).length + 1
        const broken = `${spaced.slice(0, offset)}\u0001${spaced.slice(offset)}`
        expect(mistakeInJson(broken)).toEqual({ line: before.length, column })
      }),
    )
  })

  it('is the end of whatever is JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(mistakeInJson(text).column).toBe(text.length + 1)
      }),
    )
  })
})

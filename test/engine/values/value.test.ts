import { describe, expect, it } from 'vitest'
import { isFilled, toValue, valueToText } from '../../../src/engine/values/value.ts'
import { writtenObjects, writtenValues } from '../../fixtures/tables/written-values.ts'

describe('writing a variable', () => {
  it.each<[unknown, unknown, ...unknown[]]>([
    ...writtenValues,
    ...writtenObjects,
    [() => 1, null],
    [new Date(Number.NaN), null],
    [[new Date(Number.NaN)], [null]],
  ])('%o is kept as %o', (given, kept) => {
    expect(toValue(given)).toEqual(kept)
  })

  it('reads no more of a list than goes beyond a length', () => {
    const written: number[] = []
    const list = [1, 2, 3, 4].map((n) => ({ toJSON: () => `x${written.push(n)}` }))
    expect(toValue(list, 9)).toEqual(['"x1"', '"x2"'])
    expect(written).toEqual([1, 2])
    expect(toValue(list, 10)).toHaveLength(3)
  })

  it('reads nothing as empty text and a list as JSON', () => {
    expect([
      valueToText(null),
      valueToText(undefined),
      valueToText('x'),
      valueToText(['a', null]),
      valueToText([]),
    ]).toEqual(['', '', 'x', '["a",null]', '[]'])
  })

  it('knows what says something', () => {
    expect([
      isFilled(null),
      isFilled(undefined),
      isFilled(''),
      isFilled([]),
      isFilled('x'),
      isFilled([null]),
    ]).toEqual([false, false, false, false, true, true])
  })
})

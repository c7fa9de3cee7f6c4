import { describe, expect, it } from 'vitest'
import { isFilled, textOf, toValue } from '../../src/engine/value.ts'

describe('writing a variable', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic

  it.each<[unknown, unknown]>([
    [undefined, null],
    [null, null],
    ['text', 'text'],
    ['', null],
    [5, '5'],
    [1.5, '1.5'],
    [-0, '0'],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [true, 'true'],
    [false, 'false'],
    [{ a: 1 }, '{"a":1}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Map(), '{}'],
    [10n, null],
    [cyclic, null],
    [() => 1, null],
    [[], []],
    [
      ['a', '', undefined, 1, { z: 1 }, ['b']],
      ['a', null, null, '1', '{"z":1}', '["b"]'],
    ],
    ['C:\\data \\d', 'C:\\data \\d'],
    ['\ud83d!', '\ufffd!'],
    ['🙂', '🙂'],
  ])('%o is kept as %o', (given, kept) => {
    expect(toValue(given)).toEqual(kept)
  })

  it('reads nothing as empty text and a list as JSON', () => {
    expect([textOf(null), textOf(undefined), textOf('x'), textOf(['a', null]), textOf([])]).toEqual([
      '',
      '',
      'x',
      '["a",null]',
      '[]',
    ])
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

import { describe, expect, it } from 'vitest'
import { findLimitViolation } from '../../src/definition/structural-limits.ts'

const deepest = (value: unknown, levels: number) => {
  const excess = findLimitViolation(value, { levels, values: Number.POSITIVE_INFINITY })
  return excess?.of === 'levels' ? excess.pointer : excess
}

describe('a value that is too deep', () => {
  it.each([
    [1, 0, undefined],
    ['text', 0, undefined],
    [{}, 1, undefined],
    [{}, 0, ''],
    [[[]], 2, undefined],
    [[[]], 1, '/0'],
    [{ a: 1, b: { c: [null, { d: 2 }] } }, 3, '/b/c/1'],
    [{ a: 1, b: { c: [null, { d: 2 }] } }, 4, undefined],
    [{ 'a/b': { '~': {} } }, 2, '/a~1b/~0'],
    [JSON.parse('{"__proto__":{"toString":{}}}'), 2, '/__proto__/toString'],
  ])('%j of at most %d levels is found at %s', (value, most, pointer) => {
    expect(deepest(value, most)).toBe(pointer)
  })

  it('is found behind a million others', () => {
    const value: unknown[] = Array(1_000_000).fill(0)
    value.push([[[]]])
    expect(deepest(value, 3)).toBe('/1000000/0/0')
  })

  it('is found without exhausting the stack', () => {
    const depth = 500_000
    const value = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(deepest(value, 128)).toBe('/0'.repeat(128))
  })
})

describe('a value that holds too much', () => {
  const tooMany = { of: 'values' }

  it.each([
    [{}, 0, undefined],
    [{ a: 1 }, 0, tooMany],
    [[1, [2, 3]], 4, undefined],
    [[1, [2, 3]], 3, tooMany],
    [{ a: { b: null }, c: 'text' }, 3, undefined],
    [{ a: { b: null }, c: 'text' }, 2, tooMany],
    [[[[1]]], 2, tooMany],
  ])('%j, where %d values are allowed, is told: %j', (value, values, expected) => {
    expect(findLimitViolation(value, { levels: 10, values })).toEqual(expected)
  })

  it('is not looked at any further', () => {
    const unread = Object.defineProperty([], 0, {
      get: () => {
        throw new Error('was read')
      },
    })
    expect(findLimitViolation([unread, 1, 2, 3], { levels: 10, values: 3 })).toEqual(tooMany)
  })
})

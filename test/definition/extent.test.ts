import { describe, expect, it } from 'vitest'
import { holdsMoreThan, tooDeep } from '../../src/definition/extent.ts'

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
    expect(tooDeep(value, most)).toBe(pointer)
  })

  it('is found behind a million others', () => {
    const value: unknown[] = Array(1_000_000).fill(0)
    value.push([[[]]])
    expect(tooDeep(value, 3)).toBe('/1000000/0/0')
  })

  it('is found without exhausting the stack', () => {
    const depth = 500_000
    const value = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(tooDeep(value, 128)).toBe('/0'.repeat(128))
  })
})

describe('a value that holds too much', () => {
  it.each([
    [{}, 0, false],
    [{ a: 1 }, 0, true],
    [[1, [2, 3]], 4, false],
    [[1, [2, 3]], 3, true],
    [{ a: { b: null }, c: 'text' }, 3, false],
    [{ a: { b: null }, c: 'text' }, 2, true],
  ])('%j holds more than %d values: %s', (value, most, expected) => {
    expect(holdsMoreThan(value, most)).toBe(expected)
  })
})

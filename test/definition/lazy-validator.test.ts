import { describe, expect, it } from 'vitest'
import { createLazyValidator } from '../../src/definition/lazy-validator.ts'

const check = createLazyValidator({ Word: { type: 'string' } })
const words = check({ type: 'array', items: { $ref: 'Word' } })

describe('a check', () => {
  it('accepts what fits, also by a shared schema', () => {
    expect(words.accepts(['a'])).toBe(true)
    expect(words.errorsOf(['a'])).toEqual([])
    expect(words.accepts([1])).toBe(false)
  })

  it('reports every error of a small value', () => {
    expect(words.errorsOf([1, 'a', 2, 3])).toHaveLength(3)
  })

  it('reports the first error of a value that is not small', () => {
    expect(words.errorsOf(Array(10_001).fill(1))).toHaveLength(1)
    expect(
      check({ type: 'array', items: { type: 'array' } }).errorsOf([[Array(10_001).fill(1)], 1, 2]),
    ).toHaveLength(1)
  })

  it('finds no error in a value that is not small either, when there is none', () => {
    expect(words.errorsOf(Array(10_001).fill('a'))).toEqual([])
  })

  it('changes nothing in what it looks at', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      properties: { count: { type: 'number' }, size: { type: 'string', default: 'm' } },
    }
    const value = { count: '1', extra: true }
    expect(check(schema).accepts(value)).toBe(false)
    expect(value).toEqual({ count: '1', extra: true })
  })

  it('compiles a schema no sooner than it is used', () => {
    const broken = check({ type: 'nonsense' })
    expect(() => broken.accepts(1)).toThrow()
  })
})

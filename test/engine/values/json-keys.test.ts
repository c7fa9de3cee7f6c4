import { describe, expect, it } from 'vitest'
import { hasTooManyKeys, maxJsonKeys } from '../../../src/engine/values/json-keys.ts'

const members = (count: number, member: (nth: number) => string) =>
  `{${Array.from({ length: count }, (_, nth) => member(nth)).join(',')}}`

describe('too many keys', () => {
  it('are found before a text is parsed', () => {
    expect(hasTooManyKeys(members(maxJsonKeys, (nth) => `"k${nth}":1`))).toBe(false)
    expect(hasTooManyKeys(members(maxJsonKeys + 1, (nth) => `"k${nth}":1`))).toBe(true)
  })

  it('are found behind blanks, quotes that are escaped, and other texts', () => {
    const odd = (nth: number) => `"\\"k${nth}\\\\" \n\t : "a \\": b"`
    expect(hasTooManyKeys(members(maxJsonKeys, odd))).toBe(false)
    expect(hasTooManyKeys(members(maxJsonKeys + 1, odd))).toBe(true)
  })

  it('are not made by one key that comes often, nor by texts', () => {
    const often = `[${Array.from({ length: 2 * maxJsonKeys }, () => '{"key":1}')}]`
    const texts = JSON.stringify(Array.from({ length: 2 * maxJsonKeys }, (_, nth) => `text ${nth}`))
    expect([often, texts].map(hasTooManyKeys)).toEqual([false, false])
  })

  it('are not looked for beyond a text that never ends', () => {
    expect(hasTooManyKeys(`${'{"a":1},'.repeat(maxJsonKeys)}"`)).toBe(false)
  })
})

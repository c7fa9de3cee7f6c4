import { expect, it } from 'vitest'
import { createRecentKeys } from '../../../src/stores/memory/recent-keys.ts'

it('remembers the latest keys, and forgets those before', () => {
  const erased = createRecentKeys(3)
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'g']) erased.add(key)
  expect(['a', 'b', 'c'].filter(erased.has)).toEqual([])
  expect(['d', 'e', 'f', 'g'].filter(erased.has)).toEqual(['d', 'e', 'f', 'g'])
})

it('remembers as many as promised at any time', () => {
  const erased = createRecentKeys(10)
  const keys = Array.from({ length: 100 }, (_, number) => `k${number}`)
  for (const [index, key] of keys.entries()) {
    erased.add(key)
    const latest = keys.slice(Math.max(0, index - 9), index + 1)
    expect(latest.every(erased.has)).toBe(true)
  }
  expect(keys.filter(erased.has).length).toBeLessThan(20)
})

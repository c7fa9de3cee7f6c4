import { afterEach, describe, expect, it, vi } from 'vitest'

/** Returns what counts names in a process that has drawn this factor. */
async function countingWith(factor: number) {
  vi.resetModules()
  vi.spyOn(crypto, 'getRandomValues').mockReturnValue(Int32Array.of(-1_029_384_756, factor))
  return (await import('../../src/lib/json-bounds.ts')).excessOfJson
}

const bounds = {
  values: Number.POSITIVE_INFINITY,
  keys: 40_000,
  shapes: Number.POSITIVE_INFINITY,
  levels: 10,
}

const factors = [2600927229, 1832845309, 2748339541, 659248469]

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

describe('the bound of different names', () => {
  it.each(factors)('holds for names that resemble each other, with the factor %i', async (factor) => {
    const excessOfJson = await countingWith(factor)
    const excessOf = (count: number, name: (nth: number) => string) =>
      excessOfJson(
        new TextEncoder().encode(`{${Array.from({ length: count }, (_, nth) => `"${name(nth)}":0`)}}`),
        bounds,
      )
    const names = [
      (nth: number) => `k${nth}`,
      (nth: number) => `id-${nth.toString(36)}`,
      (nth: number) => `order-${String(nth).padStart(8, '0')}`,
    ]
    expect(names.map((name) => excessOf(50_000, name))).toEqual(['keys', 'keys', 'keys'])
    expect(names.map((name) => excessOf(35_000, name))).toEqual([undefined, undefined, undefined])
  })
})

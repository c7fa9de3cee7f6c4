import { describe, expect, it } from 'vitest'
import { BoundedCache, type CacheBounds } from '../../../src/stores/in-process/bounded-cache.ts'
import { flatText } from '../../../src/stores/in-process/flat-text.ts'
import { usedHeap } from '../used-heap.ts'

/** A cache of texts, which take a byte a character. */
function setup(bounds: CacheBounds<string>) {
  const cache = new BoundedCache<string>(bounds)
  return { cache, set: (key: string, text: string) => cache.set(key, text, text.length) }
}

describe('a bounded cache', () => {
  it('counts what it holds, and how many made room for others', () => {
    const { cache, set } = setup({ maxBytes: 10_000, maxEntries: 2 })
    for (const key of ['a', 'b', 'a', 'c', 'd']) set(key, 'text')
    const { bytes, ...counts } = cache.usage()
    expect(counts).toEqual({ entries: 2, evicted: 2 })
    cache.delete('c')
    expect(cache.usage()).toEqual({ entries: 1, bytes: bytes / 2, evicted: 2 })
  })

  it('holds what fits to the byte, and says so beforehand', () => {
    const textOf = (length: number) => 'x'.repeat(length)
    const { cache, set } = setup({ maxBytes: 1000 })
    let length = 0
    while (cache.fits('k', length + 1)) length += 1
    set('k', textOf(length))
    expect(cache.get('k')).toBe(textOf(length))
    expect(() => set('k', textOf(length + 1))).toThrow(/1001 bytes/)
    expect(cache.get('k')).toBe(textOf(length))
  })
})

describe('a bounded cache that is asked about its entries', () => {
  it('reports those that go, and not those that are replaced', () => {
    const gone: string[] = []
    const { cache, set } = setup({ maxBytes: 1000, gone: (key) => gone.push(key) })
    set('a', 'x'.repeat(200))
    set('a', 'x'.repeat(300))
    set('b', 'x'.repeat(300))
    expect(gone).toEqual([])
    set('c', 'x'.repeat(300))
    cache.delete('b')
    cache.delete('never')
    expect(gone).toEqual(['a', 'b'])
  })

  it('shows a text without counting it as used', () => {
    const { cache, set } = setup({ maxBytes: 1000 })
    set('a', 'x'.repeat(300))
    set('b', 'x'.repeat(300))
    expect(cache.peek('a')).toBe('x'.repeat(300))
    set('c', 'x'.repeat(300))
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toBeDefined()
  })
})

it('makes flat copies that keep nothing alive of the larger text that a text was cut from', () => {
  const kept: string[] = []
  const before = usedHeap()
  for (let number = 0; number < 40; number++) {
    const large = `${number}${'x'.repeat(1_000_000)}`
    // A search makes one piece of what was put together.
    large.indexOf('y')
    kept.push(flatText(large.slice(0, 100)))
  }
  expect(usedHeap() - before).toBeLessThan(5_000_000)
  expect(kept[7]).toBe(`7${'x'.repeat(99)}`)
})

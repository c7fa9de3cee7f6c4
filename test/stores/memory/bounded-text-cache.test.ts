import { describe, expect, it } from 'vitest'
import { createBoundedTextCache } from '../../../src/stores/memory/bounded-text-cache.ts'
import { usedHeap } from '../used-heap.ts'

describe('text cache', () => {
  it('counts what it holds, and how many made room for others', () => {
    const cache = createBoundedTextCache({ maxBytes: 10_000, maxEntries: 2 })
    for (const key of ['a', 'b', 'a', 'c', 'd']) cache.set(key, 'text')
    const { bytes, ...counts } = cache.usage()
    expect(counts).toEqual({ entries: 2, evicted: 2 })
    cache.delete('c')
    expect(cache.usage()).toEqual({ entries: 1, bytes: bytes / 2, evicted: 2 })
  })

  it('keeps nothing alive of the larger text that a text or its key was cut from', () => {
    const cache = createBoundedTextCache({ maxBytes: 1024 * 1024 })
    const before = usedHeap()
    for (let number = 0; number < 40; number++) {
      const large = `${number}${'x'.repeat(1_000_000)}`
      // A search makes one piece of what was put together.
      large.indexOf('y')
      cache.set(`${large.slice(0, 40)}`, large.slice(0, 100))
    }
    expect(usedHeap() - before).toBeLessThan(5_000_000)
    expect(cache.get(`7${'x'.repeat(39)}`)).toBe(`7${'x'.repeat(99)}`)
  })

  it('holds what fits to the byte, and says so beforehand', () => {
    const textOf = (length: number) => 'x'.repeat(length)
    const cache = createBoundedTextCache({ maxBytes: 1000 })
    let length = 0
    while (cache.fits('k', textOf(length + 1))) length += 1
    cache.set('k', textOf(length))
    expect(cache.get('k')).toBe(textOf(length))
    expect(() => cache.set('k', textOf(length + 1))).toThrow(/1001 bytes/)
    expect(cache.get('k')).toBe(textOf(length))
  })
})

describe('appending to a text cache', () => {
  it('puts text behind what is there', () => {
    const cache = createBoundedTextCache({ maxBytes: 1000 })
    cache.set('a', 'first')
    expect([cache.append('a', ' second'), cache.append('a', ' 日本')]).toEqual([true, true])
    expect(cache.get('a')).toBe('first second 日本')
  })

  it('changes nothing for a key that holds nothing, nor where it does not fit', () => {
    const cache = createBoundedTextCache({ maxBytes: 1000 })
    cache.set('a', 'first')
    expect([cache.append('b', 'x'), cache.append('a', 'x'.repeat(1000))]).toEqual([false, false])
    expect([cache.get('a'), cache.get('b')]).toEqual(['first', undefined])
  })

  it('counts as use, and pushes out others for its room', () => {
    const cache = createBoundedTextCache({ maxBytes: 1000 })
    for (const key of ['a', 'b']) cache.set(key, 'x'.repeat(200))
    cache.append('a', 'x'.repeat(300))
    expect([cache.get('a')?.length, cache.get('b')]).toEqual([500, undefined])
  })
})

describe('a text cache that is asked about its entries', () => {
  it('reports those that go, and not those that are replaced', () => {
    const gone: string[] = []
    const cache = createBoundedTextCache({ maxBytes: 1000, gone: (key) => gone.push(key) })
    cache.set('a', 'x'.repeat(200))
    cache.set('a', 'x'.repeat(300))
    cache.set('b', 'x'.repeat(300))
    expect(gone).toEqual([])
    cache.set('c', 'x'.repeat(300))
    cache.delete('b')
    cache.delete('never')
    expect(gone).toEqual(['a', 'b'])
    cache.clear()
    expect(gone).toEqual(['a', 'b', 'c'])
  })

  it('shows a text without counting it as used', () => {
    const cache = createBoundedTextCache({ maxBytes: 1000 })
    cache.set('a', 'x'.repeat(300))
    cache.set('b', 'x'.repeat(300))
    expect(cache.peek('a')).toBe('x'.repeat(300))
    cache.set('c', 'x'.repeat(300))
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toBeDefined()
  })

  it('counts what its caller holds beside an entry', () => {
    const fitting = createBoundedTextCache({ maxBytes: 500, extraBytesPerEntry: 0 })
    const crowded = createBoundedTextCache({ maxBytes: 500, extraBytesPerEntry: 400 })
    expect([fitting.fits('k', 'x'), crowded.fits('k', 'x')]).toEqual([true, false])
  })
})

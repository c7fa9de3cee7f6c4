import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TieredCache } from '../../../src/stores/in-process/tiered-cache.ts'
import { fixedNow } from '../../support/fixed-ports.ts'

const text = 'x'.repeat(1_000)

function setup(bounds: { maxBytes?: number; maxEntries?: number } = {}) {
  let now = fixedNow
  const { maxBytes = 100_000, maxEntries = 1_000 } = bounds
  const cache = new TieredCache<string>({ maxBytes, maxEntries, expiry: { ttlMs: 60_000, now: () => now } })
  const set = (key: string, value = text) => cache.set(key, value, value.length)
  const advance = (ms: number) => {
    now += ms
  }
  return { cache, set, advance }
}

const range = (length: number, prefix: string) => Array.from({ length }, (_, nth) => `${prefix}${nth}`)

describe('values in two tiers', () => {
  it('keep those that were written again, however many are written once', () => {
    const { cache, set } = setup()
    const regulars = range(20, 'regular')
    for (const key of [...regulars, ...regulars]) set(key)
    for (const key of range(500, 'once')) set(key)
    expect(regulars.filter((key) => cache.peek(key) === undefined)).toEqual([])
    expect(cache.peek('once499')).toBe(text)
    expect(cache.peek('once0')).toBeUndefined()
    expect(cache.usage().bytes).toBeLessThanOrEqual(100_000)
    expect(cache.usage().evicted).toBeGreaterThan(400)
  })

  it('leave an eighth of the room to those that were written once', () => {
    const { cache, set } = setup()
    for (const key of range(200, 'regular')) {
      set(key)
      set(key)
    }
    for (const key of range(10, 'once')) set(key)
    expect(range(10, 'once').filter((key) => cache.peek(key) === undefined)).toEqual([])
    expect(cache.peek('regular199')).toBe(text)
  })

  it('always keep the newest, though it is larger than that', () => {
    const { cache, set } = setup()
    for (const key of range(200, 'regular')) {
      set(key)
      set(key)
    }
    const large = text.repeat(60)
    set('large', large)
    expect(cache.get('large')).toBe(large)
  })

  it('let what has expired make room before anything else', () => {
    const { cache, set, advance } = setup()
    for (const key of range(200, 'regular')) {
      set(key)
      set(key)
    }
    advance(60_001)
    for (const key of range(60, 'once')) set(key)
    expect(range(60, 'once').filter((key) => cache.peek(key) === undefined)).toEqual([])
  })

  it('count a key that comes again after its time as new', () => {
    const { cache, set, advance } = setup({ maxEntries: 8 })
    set('k')
    set('k')
    advance(60_001)
    set('k')
    expect(cache.usage().entries).toBe(1)
    for (const key of range(8, 'once')) set(key)
    expect(cache.get('k')).toBeUndefined()
  })

  it('hold the last text of each key, and never more than their bounds', () => {
    const step = fc.record({
      key: fc.nat({ max: 12 }).map(String),
      does: fc.constantFrom('set', 'set', 'get', 'delete'),
      length: fc.nat({ max: 900 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { cache, set } = setup({ maxBytes: 4_000, maxEntries: 6 })
        const written = new Map<string, string>()
        for (const { key, does, length } of steps) {
          const value = `${key}:${'x'.repeat(length)}`
          if (does === 'set') set(key, value)
          if (does === 'set') written.set(key, value)
          if (does === 'delete') cache.delete(key)
          if (does === 'delete') written.delete(key)
          const found = cache.get(key)
          if (found !== undefined || does === 'set') expect(found).toBe(written.get(key))
          const { bytes, entries } = cache.usage()
          expect([bytes <= 4_000, entries <= 6]).toEqual([true, true])
        }
      }),
    )
  })
})

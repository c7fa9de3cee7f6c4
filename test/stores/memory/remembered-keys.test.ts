import { describe, expect, it } from 'vitest'
import { RememberedKeys } from '../../../src/stores/in-process/remembered-keys.ts'

describe('keys that were added lately', () => {
  it('are remembered for a time, each from when it was added', () => {
    let now = 0
    const keys = new RememberedKeys({ least: 10, expiry: { ttlMs: 100, now: () => now } })
    keys.add('a')
    now = 60
    keys.add('b')
    now = 120
    expect([keys.has('a'), keys.has('b'), keys.has('c')]).toEqual([false, true, false])
  })

  it('are remembered up to a bound, the latest for longest', () => {
    const keys = new RememberedKeys({ least: 10 })
    const ids = Array.from({ length: 1000 }, (_, index) => `s${index}`)
    for (const id of ids) keys.add(id)
    const remembered = ids.filter((id) => keys.has(id))
    expect(remembered.length).toBeGreaterThanOrEqual(10)
    expect(remembered.length).toBeLessThan(20)
    expect(remembered.at(-1)).toBe('s999')
  })
})

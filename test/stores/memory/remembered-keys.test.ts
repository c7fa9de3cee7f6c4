import { describe, expect, it } from 'vitest'
import { RememberedKeys } from '../../../src/stores/in-process/remembered-keys.ts'

describe('keys that were added lately', () => {
  it('are remembered for a time, each from when it was added', () => {
    let now = 1000
    const keys = new RememberedKeys({ most: 10, expiry: { ttlMs: 100, now: () => now } })
    keys.add('a')
    now = 1060
    keys.add('b')
    now = 1120
    expect([keys.has('a'), keys.has('b'), keys.has('c')]).toEqual([false, true, false])
  })

  it('are remembered up to a bound, the latest for longest', () => {
    const keys = new RememberedKeys({ most: 10 })
    const ids = Array.from({ length: 1000 }, (_, index) => `s${index}`)
    for (const id of ids) keys.add(id)
    expect(ids.filter((id) => keys.has(id))).toEqual(ids.slice(-10))
  })
})

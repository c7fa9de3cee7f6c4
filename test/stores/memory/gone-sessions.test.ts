import { describe, expect, it } from 'vitest'
import { createGoneSessions } from '../../../src/stores/memory/gone-sessions.ts'

describe('sessions that are gone', () => {
  it('are remembered for a time, each from when it went', () => {
    let now = 0
    const gone = createGoneSessions({ least: 10, ttlMs: 100, now: () => now })
    gone.add('a')
    now = 60
    gone.add('b')
    now = 120
    expect([gone.has('a'), gone.has('b'), gone.has('c')]).toEqual([false, true, false])
  })

  it('are remembered up to a bound, the latest for longest', () => {
    const gone = createGoneSessions({ least: 10, ttlMs: 100, now: () => 0 })
    const ids = Array.from({ length: 1000 }, (_, index) => `s${index}`)
    for (const id of ids) gone.add(id)
    const remembered = ids.filter(gone.has)
    expect(remembered.length).toBeGreaterThanOrEqual(10)
    expect(remembered.length).toBeLessThan(20)
    expect(remembered.at(-1)).toBe('s999')
  })
})

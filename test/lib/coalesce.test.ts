import { describe, expect, it } from 'vitest'
import { coalesce } from '../../src/lib/semaphore.ts'

describe('one at a time', () => {
  it('runs once more for all calls that come while it runs', async () => {
    const events: string[] = []
    const run = coalesce(async () => {
      events.push('begin')
      await new Promise(setImmediate)
      events.push('end')
    })
    const first = run()
    await new Promise(process.nextTick)
    await Promise.resolve()
    const others = [run(), run(), run()]
    await first
    expect(events.filter((event) => event === 'end')).toHaveLength(1)
    await Promise.all(others)
    expect(events).toEqual(['begin', 'end', 'begin', 'end'])
  })

  it('runs again after a run that failed', async () => {
    let runs = 0
    const run = coalesce(async () => {
      runs += 1
      if (runs === 1) throw new Error('broken')
    })
    await expect(run()).rejects.toThrow('broken')
    await run()
    expect(runs).toBe(2)
  })
})

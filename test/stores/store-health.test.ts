import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStoreHealth } from '../../src/stores/store-health.ts'

/** A store on a disk that takes so many bytes; what the log says of it. */
function makeHealth() {
  const disk = { room: Number.POSITIVE_INFINITY, probes: 0 }
  const lines: string[] = []
  const note = (_details: object, message: string) => void lines.push(message)
  const health = createStoreHealth({
    report: { error: note, warn: note, info: note },
    wellAgain: 'well again',
    async probe(bytes) {
      disk.probes += 1
      if (bytes < disk.room) return
      health.failed('full', {})
      throw new Error('full')
    },
  })
  return { health, disk, lines }
}

describe('the health of a store', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is bad from a failure until a probe writes as much as a turn, and is logged once each', async () => {
    const { health, disk, lines } = makeHealth()
    expect(await health.problems()).toEqual([])
    disk.room = 5000
    for (let turns = 0; turns < 9; turns++) health.failed('full', {})
    expect([health.problem(), await health.problems()]).toEqual(['full', ['full']])
    expect(lines).toEqual(['full'])
    disk.room = Number.POSITIVE_INFINITY
    expect(await health.problems()).toEqual([])
    expect(lines).toEqual(['full', 'well again'])
  })

  it('is found to be bad by who looks, before any turn fails', async () => {
    const { health, disk, lines } = makeHealth()
    disk.room = 0
    expect(await health.problems()).toEqual(['full'])
    expect(lines).toEqual(['full'])
  })

  it('is not well again by what was kept, but by the probe that it leads to', async () => {
    const { health, disk, lines } = makeHealth()
    health.failed('full', {})
    disk.room = 5000
    vi.advanceTimersByTime(2000)
    for (let turns = 0; turns < 9; turns++) health.served()
    await new Promise(setImmediate)
    expect([disk.probes, health.problem()]).toEqual([1, 'full'])
    disk.room = Number.POSITIVE_INFINITY
    health.served()
    expect(disk.probes).toBe(1)
    vi.advanceTimersByTime(2000)
    health.served()
    await new Promise(setImmediate)
    expect(health.problem()).toBeUndefined()
    expect(lines).toEqual(['full', 'well again'])
  })

  it('is not well again by a probe during which a turn has failed', async () => {
    const { health } = makeHealth()
    health.failed('full', {})
    const looking = health.problems()
    health.failed('full', {})
    expect(await looking).toEqual(['full'])
  })

  it('is asked for once a second, however many look while it is good', async () => {
    const { health, disk } = makeHealth()
    await Promise.all([health.problems(), health.problems()])
    await health.problems()
    expect(disk.probes).toBe(1)
    vi.advanceTimersByTime(1500)
    await health.problems()
    expect(disk.probes).toBe(2)
  })
})

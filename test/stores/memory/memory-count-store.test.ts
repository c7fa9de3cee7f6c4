import { describe, expect, it } from 'vitest'
import type { TurnFacts } from '../../../src/stores/counts/turn-facts.ts'
import { MemoryCountStore } from '../../../src/stores/memory/memory-count-store.ts'
import { fixedNow } from '../../support/fixed-ports.ts'

const hour = Math.floor(fixedNow / 3_600_000)

const turn = (changed: Partial<TurnFacts> = {}): TurnFacts => ({
  flowId: 'f1',
  version: 'v1',
  hour,
  happened: ['shown', 'b1'],
  ...changed,
})

const open = (maxBytes: number) => new MemoryCountStore({ maxBytes, now: () => fixedNow })

const all = { flowId: 'f1', from: 0, until: 1e7, settled: hour }

describe('counts in memory', () => {
  it('are not added up within the turn, and at the latest once many have left something', async () => {
    const counts = open(1e6)
    for (let turns = 0; turns < 1000; turns++) counts.apply(turn())
    expect(await counts.sum(all)).toEqual([])
    await new Promise(setImmediate)
    expect(await counts.sum(all)).toEqual([expect.objectContaining({ name: 'b1', count: 1000 })])
    counts.apply(turn())
    await new Promise(setImmediate)
    expect(await counts.pendingSince()).toBe(hour)
    for (let turns = 0; turns < 1000; turns++) counts.apply(turn())
    await new Promise(setImmediate)
    expect(await counts.pendingSince()).toBeUndefined()
  })

  it('stay within their bound: those of the earliest hours make room', async () => {
    const maxBytes = 100_000
    const counts = open(maxBytes)
    counts.describe('f1', { version: 'old', places: [] })
    counts.apply(turn({ version: 'old', hour: hour - 2 }))
    for (let name = 0; name < 1000; name++) counts.apply(turn({ happened: ['shown', `b${name}`] }))
    await counts.fold()
    const { entries, bytes, evicted } = counts.usage()
    expect(bytes).toBeLessThanOrEqual(maxBytes)
    expect(entries + evicted).toBe(1001)
    expect(await counts.sum({ ...all, version: 'old' })).toEqual([])
    expect(await counts.places('f1')).toEqual([])
    expect(await counts.sum(all)).toHaveLength(entries)
  })

  it('account for nothing once they have come to nothing', async () => {
    const counts = open(1e6)
    counts.apply(turn({ happened: [], before: [[hour, 'path', 'A', 1]] }))
    await counts.fold()
    expect(counts.usage().entries).toBe(1)
    counts.apply(turn({ happened: [], before: [[hour, 'path', 'A', -1]] }))
    await counts.fold()
    expect(counts.usage()).toEqual({ entries: 0, bytes: 0, evicted: 0 })
  })
})

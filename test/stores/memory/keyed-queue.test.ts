import { describe, expect, it } from 'vitest'
import { createKeyedQueue } from '../../../src/stores/memory/keyed-queue.ts'
import { usedHeap } from '../used-heap.ts'

describe('exclusive turns', () => {
  it('runs a hundred turns that come at once one at a time, in the order of the calls', async () => {
    const exclusive = createKeyedQueue(100)
    const events: string[] = []
    const turns = Array.from({ length: 100 }, (_, index) =>
      exclusive('k', async () => {
        events.push(`begin ${index}`)
        await new Promise(setImmediate)
        events.push(`end ${index}`)
      }),
    )
    await Promise.all(turns)
    expect(events).toEqual(turns.flatMap((_, index) => [`begin ${index}`, `end ${index}`]))
  })

  it('lets none wait where none may', async () => {
    const exclusive = createKeyedQueue(0)
    const running = exclusive('k', () => new Promise(setImmediate))
    await expect(exclusive('k', async () => 1)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await running
    expect(await exclusive('k', async () => 2)).toBe(2)
  })

  it('takes a turn that comes from the end of another', async () => {
    const exclusive = createKeyedQueue(0)
    const second = exclusive('k', async () => 'first').then((first) =>
      exclusive('k', async () => `${first}, second`),
    )
    expect(await second).toBe('first, second')
  })

  it.each([
    ['fails', () => Promise.reject(new Error('broken'))],
    ['ends well', async () => undefined],
  ])('counts a turn that %s no longer', async (_, turn) => {
    const exclusive = createKeyedQueue(0)
    await exclusive('k', turn).catch(() => undefined)
    expect(await exclusive('k', async () => 'ran')).toBe('ran')
  })

  it('remembers nothing of a key after its last turn', async () => {
    const exclusive = createKeyedQueue(16)
    await exclusive('warm', async () => undefined)
    const before = usedHeap()
    for (let number = 0; number < 50_000; number++) {
      await exclusive(`key-${number}`, async () => undefined)
      await exclusive(`key-${number}`, () => Promise.reject(new Error('broken'))).catch(() => undefined)
    }
    // A line that stayed would take some 200 bytes: ten million for all.
    expect(usedHeap() - before).toBeLessThan(2_000_000)
    expect(await exclusive('key-0', async () => 'ran')).toBe('ran')
  })
})

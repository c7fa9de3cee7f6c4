import { describe, expect, it } from 'vitest'
import { createMemorySessionStore } from '../../../src/stores/memory/memory-session-store.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { describeSessionStore, smallSession, wholeSession } from '../contracts/session-store.ts'
import { usedHeap } from '../used-heap.ts'

const bounds = { ttlMs: 60_000, maxSessions: 1000, maxBytes: 1024 * 1024, maxQueuedTurns: 16 }

function setup(changed: Partial<typeof bounds> = {}) {
  let now = fixedNow
  const store = createMemorySessionStore({ ...bounds, ...changed, now: () => now })
  const advance = (ms: number) => {
    now += ms
  }
  return { store, ttlMs: bounds.ttlMs, advance }
}

describeSessionStore('memory session store', setup)

it('tells how many sessions it holds in memory, and that they take something', async () => {
  const { store } = setup({ maxSessions: 2 })
  expect(store.usage()).toEqual({ entries: 0, bytes: 0, evicted: 0 })
  for (const key of ['a', 'a', 'b', 'c']) await store.save(key, wholeSession)
  const { bytes, ...counts } = store.usage()
  expect(counts).toEqual({ entries: 2, evicted: 1 })
  expect(bytes).toBeGreaterThan(2 * wholeSession.id.length)
  for (const key of ['a', 'c']) await store.delete(key)
  expect(store.usage()).toEqual({ entries: 0, bytes: 0, evicted: 1 })
})

describe('bounds of the memory session store', () => {
  it('lets a session live to the last millisecond of its time, and no longer', async () => {
    const { store, ttlMs, advance } = setup()
    await store.save('k', smallSession)
    advance(ttlMs)
    expect(await store.get('k')).toEqual(smallSession)
    advance(ttlMs + 1)
    expect(await store.get('k')).toBeUndefined()
  })

  it('forgets the least recently used session when there are too many', async () => {
    const { store } = setup({ maxSessions: 2 })
    await store.save('a', smallSession)
    await store.save('b', smallSession)
    await store.get('a')
    await store.save('b', smallSession)
    await store.save('a', smallSession)
    await store.save('c', smallSession)
    expect(await store.get('a')).toBeDefined()
    expect(await store.get('b')).toBeUndefined()
    expect(await store.get('c')).toBeDefined()
  })

  it('forgets the least recently used sessions when they take too many bytes', async () => {
    const { store } = setup({ maxBytes: 4000 })
    const large = { ...smallSession, transcript: ['x'.repeat(1500)] }
    await store.save('a', large)
    await store.save('b', large)
    await store.get('a')
    await store.save('c', large)
    expect(await store.get('a')).toEqual(large)
    expect(await store.get('b')).toBeUndefined()
    expect(await store.get('c')).toEqual(large)
  })

  it('counts two bytes a character where a text goes beyond Latin-1', async () => {
    const holding = (character: string) => ({ ...smallSession, transcript: [character.repeat(1500)] })
    const { store } = setup({ maxBytes: 3000 })
    await store.save('k', holding('é'))
    await expect(store.save('k', holding('Ω'))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('refuses a session larger than the whole bound, and keeps what was there', async () => {
    const { store } = setup({ maxBytes: 4000 })
    await store.save('k', smallSession)
    await store.save('other', smallSession)
    const refused = store.save('k', { ...smallSession, transcript: ['x'.repeat(4000)] })
    await expect(refused).rejects.toMatchObject({ name: 'ServiceError', code: 'PAYLOAD_TOO_LARGE' })
    expect(await store.get('k')).toEqual(smallSession)
    expect(await store.get('other')).toEqual(smallSession)
  })

  it('lets go of everything when it is closed', async () => {
    const { store } = setup()
    await store.save('k', smallSession)
    await store.close()
    expect(await store.get('k')).toBeUndefined()
  })

  it.each([
    ['small sessions', smallSession],
    ['sessions with variables', wholeSession],
  ])('takes about as many bytes for %s as it may', async (_, session) => {
    const maxBytes = 16 * 1024 * 1024
    const before = usedHeap()
    const { store } = setup({ maxBytes, maxSessions: 1_000_000 })
    for (let number = 0; number < 80_000; number++) {
      await store.save(`live:session-with-a-long-id-${number}`, { ...session, id: `session-${number}` })
    }
    const held = usedHeap() - before
    expect(await store.get('live:session-with-a-long-id-0')).toBeUndefined()
    expect(held / maxBytes).toBeGreaterThan(2 / 3)
    expect(held / maxBytes).toBeLessThan(4 / 3)
    await store.close()
  })
})

import { describe, expect, it } from 'vitest'
import { createMemorySessionStore } from '../../../src/stores/memory/memory-session-store.ts'
import { splitSessionStore } from '../../../src/stores/memory/partitioned-session-store.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { describeSessionStore, smallSession } from '../contracts/session-store.ts'

const bounds = { ttlMs: 60_000, maxSessions: 1000, maxBytes: 1024 * 1024, maxQueuedTurns: 16 }

function setup(changed: Partial<typeof bounds> = {}) {
  let now = fixedNow
  const part = () => createMemorySessionStore({ ...bounds, ...changed, now: () => now })
  const [live, previews] = [part(), part()]
  const store = splitSessionStore({ live, previews, isPreview: (key) => key.startsWith('p') })
  const advance = (ms: number) => {
    now += ms
  }
  return { store, ttlMs: bounds.ttlMs, advance }
}

describeSessionStore('split session store', setup)

describe('split session store', () => {
  it.each([
    ['live sessions', 'previews', 'live', (n: number) => `p${n}`],
    ['previews', 'live sessions', 'preview', (n: number) => `l${n}`],
  ])('keeps %s, however many %s come', async (_kept, _coming, key, keyOf) => {
    const { store } = setup({ maxSessions: 2 })
    await store.save(key, smallSession)
    for (let nth = 0; nth < 10; nth++) await store.save(keyOf(nth), smallSession)
    expect(await store.get(key)).toEqual(smallSession)
    expect(await store.get(keyOf(0))).toBeUndefined()
  })

  it('forgets a session where it is kept', async () => {
    const { store } = setup()
    await store.save('p', smallSession)
    await store.save('l', smallSession)
    await store.delete('p')
    expect([await store.get('p'), await store.get('l')]).toEqual([undefined, smallSession])
  })

  it('lets go of everything when it is closed', async () => {
    const { store } = setup()
    await store.save('p', smallSession)
    await store.save('l', smallSession)
    await store.close()
    expect([await store.get('p'), await store.get('l')]).toEqual([undefined, undefined])
  })
})

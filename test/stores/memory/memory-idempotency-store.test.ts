import { describe, expect, it } from 'vitest'
import { createMemoryIdempotencyStore } from '../../../src/stores/memory/memory-idempotency-store.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { describeIdempotencyStore } from '../contracts/idempotency-store.ts'

const ttlMs = 60_000

function setup(maxBytes = 1024 * 1024) {
  let now = fixedNow
  const store = createMemoryIdempotencyStore({ maxBytes, ttlMs, now: () => now })
  const advance = (ms: number) => {
    now += ms
  }
  const answer = async (key: string, text: string) => {
    await store.claim(key, 'f')
    await store.settle(key, text)
  }
  return { store, advance, answer }
}

describeIdempotencyStore('memory idempotency store', () => setup().store)

describe('bounds of the memory idempotency store', () => {
  it('forgets an answer that was not given for its time', async () => {
    const { store, advance, answer } = setup()
    await answer('k', 'answer')
    advance(ttlMs)
    expect(await store.claim('k', 'f')).toMatchObject({ state: 'answered' })
    advance(ttlMs)
    expect(await store.claim('k', 'f')).toMatchObject({ state: 'answered' })
    advance(ttlMs + 1)
    expect(await store.claim('k', 'g')).toEqual({ state: 'claimed' })
  })

  it('forgets the least recently given answer when they take too many bytes', async () => {
    const { store, answer } = setup(3000)
    await answer('a', 'x'.repeat(1000))
    await answer('b', 'x'.repeat(1000))
    await store.claim('a', 'f')
    await answer('c', 'x'.repeat(1000))
    expect(await store.claim('a', 'f')).toMatchObject({ state: 'answered' })
    expect(await store.claim('b', 'f')).toEqual({ state: 'claimed' })
    expect(await store.claim('c', 'f')).toMatchObject({ state: 'answered' })
  })

  it('frees the key of an answer that it could never hold, and keeps the others', async () => {
    const { store, answer } = setup(3000)
    await answer('small', 'x')
    await answer('large', 'x'.repeat(3000))
    expect(await store.claim('large', 'f')).toEqual({ state: 'claimed' })
    expect(await store.claim('small', 'f')).toMatchObject({ state: 'answered' })
  })

  it('never forgets a request that is being answered, however long it takes and whatever comes meanwhile', async () => {
    const { store, advance, answer } = setup(3000)
    await store.claim('slow', 'f')
    for (let number = 0; number < 20; number++) await answer(`k${number}`, 'x'.repeat(1000))
    advance(10 * ttlMs)
    expect(await store.claim('slow', 'f')).toEqual({ state: 'running' })
    await store.settle('slow', 'answer')
    expect(await store.claim('slow', 'f')).toEqual({ state: 'answered', answer: 'answer' })
  })
})

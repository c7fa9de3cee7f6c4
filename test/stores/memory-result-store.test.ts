import { describe, expect, it } from 'vitest'
import { createMemoryResultStore } from '../../src/stores/memory-result-store.ts'
import { describeResultStore, wholeResult } from './contracts/result-store.ts'

describeResultStore('memory result store', () => createMemoryResultStore({ maxBytes: 1024 * 1024 }))

describe('bounds of the memory result store', () => {
  const holding = (id: string, length: number) => ({
    ...wholeResult,
    id,
    variables: [],
    answers: [{ blockId: 'b1', content: 'x'.repeat(length) }],
  })

  it('forgets the least recently used result when they take too many bytes', async () => {
    const store = createMemoryResultStore({ maxBytes: 4000 })
    await store.save(holding('a', 1300))
    await store.save(holding('b', 1300))
    await store.get('flow-1', 'a')
    await store.save(holding('c', 1300))
    expect(await store.get('flow-1', 'a')).toBeDefined()
    expect(await store.get('flow-1', 'b')).toBeUndefined()
    expect(await store.get('flow-1', 'c')).toBeDefined()
  })

  it('refuses a result larger than the whole bound, and keeps what was there', async () => {
    const store = createMemoryResultStore({ maxBytes: 4000 })
    await store.save(holding('a', 10))
    await expect(store.save(holding('a', 4000))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(await store.get('flow-1', 'a')).toStrictEqual(holding('a', 10))
  })
})

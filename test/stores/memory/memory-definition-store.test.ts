import { describe, expect, it } from 'vitest'
import type { DefinitionStore } from '../../../src/stores/definition-store.ts'
import { createMemoryDefinitionStore } from '../../../src/stores/memory/memory-definition-store.ts'
import { describeDefinitionStore } from '../contracts/definition-store.ts'

describeDefinitionStore('memory definition store', () =>
  createMemoryDefinitionStore({ maxBytes: 1024 * 1024, draftMaxBytes: 1024 * 1024 }),
)

/** Puts a definition that was published and is not any more. */
async function release(store: DefinitionStore, hash: string, text: string): Promise<void> {
  await store.retain([{ hash, text }])
  await store.release([hash])
}

describe('bounds of the memory definition store', () => {
  const text = 'x'.repeat(1000)
  /** Holds two of the text, not three. */
  const setup = () => createMemoryDefinitionStore({ maxBytes: 3000, draftMaxBytes: 3000 })

  it('forgets the least recently used definition when they take too many bytes', async () => {
    const store = setup()
    await store.put('a', text)
    await store.put('b', text)
    await store.get('a')
    await store.put('c', text)
    expect(await store.get('a')).toBe(text)
    expect(await store.get('b')).toBeUndefined()
    expect(await store.get('c')).toBe(text)
  })

  it('counts putting again as a use', async () => {
    const store = setup()
    await store.put('a', text)
    await store.put('b', text)
    await store.put('a', text)
    await store.put('c', text)
    expect(await store.get('a')).toBe(text)
    expect(await store.get('b')).toBeUndefined()
  })

  it('never forgets a definition that is retained, and leaves the bound to the others', async () => {
    const store = setup()
    await store.retain(['a', 'b', 'c'].map((hash) => ({ hash, text })))
    for (const hash of ['d', 'e', 'f']) await store.put(hash, text)
    const kept = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((hash) => store.get(hash)))
    expect(kept.map((held) => held !== undefined)).toEqual([true, true, true, false, true, true])
  })

  it('keeps a definition until it is released as often as it was retained', async () => {
    const store = setup()
    await store.put('a', text)
    await store.retain([{ hash: 'a', text }])
    await store.retain([{ hash: 'a', text }])
    await store.release(['a'])
    for (const hash of ['b', 'c', 'd']) await store.put(hash, text)
    expect(await store.get('a')).toBe(text)
    await store.release(['a'])
    expect(await store.get('a')).toBe(text)
    for (const hash of ['e', 'f', 'g']) await release(store, hash, text)
    expect(await store.get('a')).toBeUndefined()
  })

  it('keeps what was published once, however many drafts come', async () => {
    const store = setup()
    await release(store, 'published', text)
    for (const hash of ['a', 'b', 'c', 'd', 'e', 'f']) await store.put(hash, text)
    expect(await store.get('published')).toBe(text)
  })

  it('keeps drafts, however many definitions were published once', async () => {
    const store = setup()
    await store.put('draft', text)
    for (const hash of ['a', 'b', 'c', 'd', 'e', 'f']) await release(store, hash, text)
    expect(await store.get('draft')).toBe(text)
  })

  it('gives drafts as much room as they have, whatever the others have', async () => {
    const store = createMemoryDefinitionStore({ maxBytes: 3000, draftMaxBytes: 1500 })
    for (const hash of ['a', 'b']) await store.put(hash, text)
    for (const hash of ['c', 'd']) await release(store, hash, text)
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((hash) => store.get(hash)))
    expect(kept.map((held) => held !== undefined)).toEqual([false, true, true, true])
  })

  it('refuses a definition larger than the whole bound, unless it is retained', async () => {
    const store = setup()
    const large = 'x'.repeat(3000)
    await expect(store.put('a', large)).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'PAYLOAD_TOO_LARGE',
    })
    await store.retain([{ hash: 'a', text: large }])
    await store.put('a', large)
    expect(await store.get('a')).toBe(large)
    await store.release(['a'])
    expect(await store.get('a')).toBeUndefined()
  })

  it('counts the definitions it holds that are not retained, and drafts by themselves', async () => {
    const store = setup()
    await store.retain([{ hash: 'h', text }])
    for (const hash of ['a', 'b', 'c']) await store.put(hash, text)
    expect(store.usage()).toEqual({ entries: 0, bytes: 0, evicted: 0 })
    expect(store.draftUsage()).toMatchObject({ entries: 2, evicted: 1 })
    await store.release(['h'])
    expect(store.usage()).toMatchObject({ entries: 1, evicted: 0 })
    expect(store.usage().bytes).toBeGreaterThan(text.length)
    expect(store.draftUsage()).toMatchObject({ entries: 2, evicted: 1 })
  })
})

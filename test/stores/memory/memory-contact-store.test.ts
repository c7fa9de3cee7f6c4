import { describe, expect, it } from 'vitest'
import { MemoryContactStore } from '../../../src/stores/memory/memory-contact-store.ts'

describe('contacts in memory', () => {
  const open = () => {
    const store = new MemoryContactStore({ maxBytes: 80_000, now: () => 1 })
    const start = (key: string, index: number, profile?: string) => {
      const links = [{ flowId: 'f', resultId: `r${index}` }]
      store.apply({ key, readAt: 1, profile, links }, `s${index}`)
    }
    return { store, start }
  }

  it('make no room for any number of those whom nobody vouches for', async () => {
    const { store, start } = open()
    start('ann', 0, '{"id":"ann"}')
    store.apply({ key: 'ann', readAt: 1, memory: [['Drink', 'tea']], links: [] }, 's0')
    await store.erase('bob')
    for (let index = 1; index <= 1000; index += 1) start(`stranger ${index}`, index)
    expect((await store.find('ann')).contact).toMatchObject({ memory: '{"Drink":"tea"}' })
    expect(store.isCurrent({ key: 'bob', readAt: 1, links: [] })).toBe(false)
    expect(store.isCurrent({ key: 'ann', readAt: 1, links: [] })).toBe(true)
    expect((await store.find('stranger 1')).contact).toBeUndefined()
    expect((await store.find('stranger 1000')).contact).toBeDefined()
    const { entries, bytes, evicted } = store.usage()
    expect(entries + evicted).toBe(1002)
    expect(bytes).toBeLessThan(80_000 / 4)
  })

  it('keep the latest conversations of one whom many name, and refuse no start', async () => {
    const { store, start } = open()
    for (let index = 1; index <= 1000; index += 1) start('ann', index)
    const links = await store.links('ann', { limit: 1000 })
    expect(links[0]).toMatchObject({ sessionId: 's1000' })
    expect(links.length).toBeGreaterThan(10)
    expect(store.usage()).toMatchObject({ entries: 1, evicted: 0 })
  })

  it('make room when they are left alone, and not when turns go on with them', async () => {
    let now = 1
    const store = new MemoryContactStore({ maxBytes: 80_000, now: () => now })
    const start = (key: string) => store.apply({ key, readAt: 1, profile: '{}', links: [] }, key)
    start('ann')
    start('bob')
    for (let index = 1; index <= 1000; index += 1) {
      now += 1000
      start(`other ${index}`)
      store.apply({ key: 'ann', readAt: 1, memory: [['Drink', `tea ${index}`]], links: [] }, 'ann')
    }
    expect((await store.find('ann')).contact).toMatchObject({ profile: '{}', firstSeen: 1 })
    expect((await store.find('bob')).contact).toBeUndefined()
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import { type ContactStore, type ContactWrite, mostMemoryBytes } from '../../../src/stores/contact-store.ts'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import { enter, liveSession } from './conversation-store.ts'

interface ContactStoreFixture {
  open(): ConversationStore | Promise<ConversationStore>
  readonly contacts: ContactStore
  /** Lets time pass for the back end. */
  advance(ms: number): void | Promise<void>
  close?(): void | Promise<void>
}

/** Defines what is kept of persons: each implementation has to pass. */
export function describeContactStore(
  name: string,
  setup: () => ContactStoreFixture | Promise<ContactStoreFixture>,
): void {
  async function open() {
    const fixture = await setup()
    const store = await fixture.open()
    onTestFinished(async () => {
      await store.close()
      await fixture.close?.()
    })
    const { contacts, advance } = fixture
    /** A start that is held with a person, who is looked up first. */
    const start = async (id: string, key: string, more: Partial<ContactWrite> = {}) => {
      const { readAt } = await contacts.find(key)
      await advance(5)
      const links = [{ flowId: 'flow-1', resultId: `result of ${id}` }]
      const contact = { key, readAt, links, ...more }
      await store.start({ session: liveSession(id), results: [], contact })
      return contact
    }
    /** One more turn; whether it was kept. */
    const turn = async (id: string, contact: ContactWrite) => {
      const { lease, conversation } = await enter(store, id)
      const revision = await store.commit(lease, { session: conversation.session, results: [], contact })
      return revision !== undefined
    }
    return { store, contacts, advance, start, turn }
  }
  const sessionsOf = async (contacts: ContactStore, key: string, more: object = {}) =>
    (await contacts.links(key, { limit: 100, ...more })).map(({ sessionId }) => sessionId)

  describe(name, () => {
    it('knows nobody before a start, and then as the latest start has named them', async () => {
      const { contacts, start, advance } = await open()
      expect((await contacts.find('ann')).contact).toBeUndefined()
      await start('s1', 'ann', { profile: '{"name":"Ann"}' })
      await advance(1000)
      await start('s2', 'ann', { profile: '{"name":"Anna"}' })
      await start('s3', 'ann')
      const { contact } = await contacts.find('ann')
      expect(contact).toMatchObject({ profile: '{"name":"Anna"}', memory: '{}', revision: 0 })
      expect(Number(contact?.lastSeen) - Number(contact?.firstSeen)).toBeGreaterThanOrEqual(1000)
      expect((await contacts.find('bob')).contact).toBeUndefined()
    })

    it('joins what turns have written, the last one of each name, and forgets what is null', async () => {
      const { contacts, start, turn } = await open()
      const contact = await start('s1', 'ann', {
        memory: [
          ['A', '1'],
          ['B', ['x', null]],
        ],
      })
      await start('s2', 'ann', {
        memory: [
          ['A', '2'],
          ['C', '\u{1f642} \u0001'],
        ],
      })
      expect(
        await turn('s1', {
          ...contact,
          memory: [
            ['B', null],
            ['D', '4'],
          ],
        }),
      ).toBe(true)
      expect(await turn('s1', { ...contact, memory: undefined })).toBe(true)
      const found = (await contacts.find('ann')).contact
      expect(found?.revision).toBe(3)
      expect(JSON.parse(found?.memory ?? '')).toEqual({ A: '2', C: '\u{1f642} \u0001', D: '4' })
    })

    it('joins lists as a whole, by names of any characters', async () => {
      const { contacts, start, turn } = await open()
      const names = ['$.a', 'a"b\\', "it's", '0', '__proto__', 'é\u{1f642}', '\n', '']
      const contact = await start('s1', 'ann', { memory: names.map((name) => [name, ['a', null, 'b']]) })
      for (const value of ['', ['c', null]])
        expect(await turn('s1', { ...contact, memory: names.map((name) => [name, value]) })).toBe(true)
      const found = (await contacts.find('ann')).contact
      const memory = Object.entries(JSON.parse(found?.memory ?? ''))
      expect(memory.toSorted()).toEqual(names.map((name) => [name, ['c', null]]).toSorted())
    })

    it('leaves out a change that has no room', async () => {
      const { contacts, start, turn } = await open()
      const contact = await start('s1', 'ann', { memory: [['A', '1']] })
      const memory = [['B', 'x'.repeat(mostMemoryBytes)]] as const
      expect(await turn('s1', { ...contact, memory })).toBe(true)
      expect((await contacts.find('ann')).contact).toMatchObject({ revision: 1 })
      expect(JSON.parse((await contacts.find('ann')).contact?.memory ?? '')).toEqual({ A: '1' })
    })

    it('keeps what many write at once', async () => {
      const { contacts, start, turn } = await open()
      const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
      for (const id of ids) await start(id, 'ann')
      const { readAt } = await contacts.find('ann')
      await Promise.all(ids.map((id) => turn(id, { key: 'ann', readAt, links: [], memory: [[id, id]] })))
      const { contact } = await contacts.find('ann')
      expect(contact?.revision).toBe(20)
      expect(Object.keys(JSON.parse(contact?.memory ?? '')).sort()).toEqual([...ids].sort())
      expect((await sessionsOf(contacts, 'ann')).sort()).toEqual([...ids].sort())
    })

    it('finds the conversations of a person, once each and the latest first, by pages and by flow', async () => {
      const { contacts, start, turn } = await open()
      const contact = await start('s1', 'ann')
      await start('s2', 'ann', { links: [{ flowId: 'flow-2', resultId: 'r2' }] })
      await start('s3', 'ann')
      await start('s4', 'bob')
      await turn('s1', contact)
      expect(await sessionsOf(contacts, 'ann')).toEqual(['s3', 's2', 's1'])
      expect(await sessionsOf(contacts, 'ann', { flowId: 'flow-2' })).toEqual(['s2'])
      const [first, second] = await contacts.links('ann', { limit: 2 })
      expect(first).toMatchObject({ flowId: 'flow-1', resultId: 'result of s3' })
      expect(await sessionsOf(contacts, 'ann', { before: second?.number })).toEqual(['s1'])
      await contacts.unlink('ann', [Number(first?.number)])
      expect(await sessionsOf(contacts, 'ann')).toEqual(['s2', 's1'])
    })

    it('keeps nothing of turns that have read somebody before an erasure', async () => {
      const { store, contacts, start, turn, advance } = await open()
      const before = await start('s1', 'ann', { profile: '{}', memory: [['A', '1']] })
      await contacts.erase('ann')
      expect((await contacts.find('ann')).contact).toBeUndefined()
      expect(await sessionsOf(contacts, 'ann')).toEqual(['s1'])
      await store.start({ session: liveSession('s2'), results: [], contact: before })
      expect(await store.look('s2')).toBeUndefined()
      expect(await turn('s1', { ...before, memory: [['A', '2']] })).toBe(false)
      expect((await contacts.find('ann')).contact).toBeUndefined()
      await advance(5)
      await start('s3', 'ann', { memory: [['B', '1']] })
      expect((await contacts.find('ann')).contact).toMatchObject({ profile: undefined, revision: 1 })
      expect(JSON.parse((await contacts.find('ann')).contact?.memory ?? '')).toEqual({ B: '1' })
    })

    it('lets an erasure of somebody who was never seen refuse a start under way', async () => {
      const { store, contacts } = await open()
      const { readAt } = await contacts.find('ann')
      await contacts.erase('ann')
      const contact = { key: 'ann', readAt, links: [], profile: '{}' }
      await store.start({ session: liveSession('s1'), results: [], contact })
      expect(await store.look('s1')).toBeUndefined()
      expect((await contacts.find('ann')).contact).toBeUndefined()
    })
  })
}

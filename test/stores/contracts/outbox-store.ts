import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import type { FlowAction, FlowTable } from '../../../src/stores/flow-table.ts'
import { destinationOf, type EndpointTable } from '../../../src/stores/outgoing/endpoint-table.ts'
import type { ClaimedEvent, OutboxStore, OutgoingEvent } from '../../../src/stores/outgoing/outbox-store.ts'
import { outboxBounds } from '../../support/memory-outbox.ts'
import { enter, liveSession } from './conversation-store.ts'
import { changing, publishing } from './flow-table.ts'

/** A back end that is empty and has `outboxBounds`. */
interface OutboxFixture {
  open(): ConversationStore | Promise<ConversationStore>
  readonly outbox: OutboxStore
  readonly endpoints: EndpointTable
  readonly flows: FlowTable
  advance(ms: number): void | Promise<void>
  /** Drops what is past its time or its bound. */
  sweep(): Promise<unknown>
  close?(): void | Promise<void>
}

const leaseMs = 20_000
const crm = destinationOf('crm')

const event = (eventId: string, line: string, destination = crm): OutgoingEvent => ({
  destination,
  line,
  eventId,
  type: 'turn.completed',
  body: `{"id":"${eventId}","said":"Zoë 🙂"}`,
})

/** Defines what an outbox and its endpoints are: each implementation has to pass. */
export function describeOutboxStore(name: string, setup: () => OutboxFixture | Promise<OutboxFixture>): void {
  async function open() {
    const fixture = await setup()
    const store = await fixture.open()
    onTestFinished(async () => {
      await store.close()
      await fixture.close?.()
    })
    const { outbox } = fixture
    const start = (id: string, outgoing?: readonly OutgoingEvent[]) =>
      store.start({ session: liveSession(id), results: [], outgoing })
    async function turn(id: string, outgoing: readonly OutgoingEvent[]) {
      const { lease, conversation } = await enter(store, id)
      return store.commit(lease, { session: conversation.session, results: [], outgoing })
    }
    const claim = (limit = 10, destination = crm) => outbox.claim([{ destination, limit }], leaseMs)
    const claimIds = async (limit?: number, destination?: string) => idsOf(await claim(limit, destination))
    async function claimOne(): Promise<ClaimedEvent> {
      const [claimed] = await claim(1)
      if (!claimed) throw new Error('nothing is due')
      return claimed
    }
    const statesOf = async () =>
      (await outbox.list(crm, { limit: 20 })).map(({ eventId, state }) => `${eventId} ${state}`)
    return { ...fixture, store, start, turn, claim, claimIds, claimOne, statesOf }
  }

  const idsOf = (events: readonly ClaimedEvent[]) => events.map(({ eventId }) => eventId)

  describe(name, () => {
    it('has what a start and a turn put out, as they did, and wakes who sends it', async () => {
      const { start, turn, claim, claimOne, outbox, store } = await open()
      let wakes = 0
      const end = store.watchOutgoing(() => {
        wakes += 1
      })
      await start('a', [event('1', 'a')])
      const first = await claimOne()
      expect(first).toMatchObject({ ...event('1', 'a'), attempts: 1 })
      await outbox.settle(first, { state: 'delivered' })
      await turn('a', [event('2', 'a')])
      await start('b')
      expect(wakes).toBe(2)
      end()
      await start('c', [event('3', 'c', 'webhook:other')])
      expect(wakes).toBe(2)
      expect(await claim()).toMatchObject([event('2', 'a')])
    })

    it('has nothing of a turn that was not kept', async () => {
      const { store, start, turn, claimIds } = await open()
      await start('a')
      const { lease } = await enter(store, 'a')
      await store.release(lease)
      const lost = { session: liveSession('a'), results: [], outgoing: [event('1', 'a')] }
      expect(await store.commit(lease, lost)).toBeUndefined()
      await store.erase('a')
      await start('a', [event('2', 'a')])
      await start('b')
      await turn('b', [event('3', 'b')])
      expect(await claimIds()).toEqual(['3'])
    })

    it('keeps the order of a line, and lets no other line wait for it', async () => {
      const { start, turn, claimIds, claimOne, outbox } = await open()
      await start('a', [event('a1', 'a'), event('a2', 'a')])
      await start('b', [event('b1', 'b')])
      const first = await claimOne()
      expect(first.eventId).toBe('a1')
      await turn('a', [event('a3', 'a')])
      expect(await claimIds()).toEqual(['b1'])
      await outbox.settle(first, { state: 'delivered' })
      expect(await claimIds()).toEqual(['a2'])
    })

    it('keeps destinations apart, and gives each at most as many as are asked for', async () => {
      const { start, outbox } = await open()
      await start('a', [event('1', 'a'), event('2', 'a', 'webhook:other'), event('3', 'x'), event('4', 'y')])
      const wanted = [
        { destination: crm, limit: 2 },
        { destination: 'webhook:other', limit: 2 },
        { destination: 'webhook:none', limit: 2 },
      ]
      expect(idsOf(await outbox.claim(wanted, leaseMs)).sort()).toEqual(['1', '2', '3'])
    })

    it('gives an event to one who claims it, and after the lease to another', async () => {
      const { start, claim, claimIds, claimOne, outbox, advance, statesOf } = await open()
      await start('a', [event('1', 'a')])
      const first = await claimOne()
      expect(await claimIds()).toEqual([])
      await advance(leaseMs + 1)
      expect(await claim()).toMatchObject([{ eventId: '1', attempts: 2 }])
      await outbox.settle(first, { state: 'delivered' })
      expect(await statesOf()).toEqual(['1 waiting'])
    })

    it('gives it to no two who claim at once', async () => {
      const { start, claimIds } = await open()
      await start(
        'a',
        Array.from({ length: 8 }, (_, index) => event(`${index}`, `line ${index}`)),
      )
      const claimed = await Promise.all([claimIds(4), claimIds(4), claimIds(4)])
      expect(claimed.flat().sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    })

    it('tries again after a pause, with what is behind it, and as if for the first time when it is asked to', async () => {
      const { start, claim, claimIds, claimOne, outbox, advance, turn } = await open()
      await start('a', [event('1', 'a')])
      await outbox.settle(await claimOne(), { state: 'waiting', pauseMs: 30_000, error: 'status 500' })
      await turn('a', [event('2', 'a')])
      expect(await claimIds()).toEqual([])
      expect(await outbox.list(crm, { limit: 5 })).toMatchObject([
        { eventId: '2', attempts: 0 },
        { eventId: '1', attempts: 1, error: 'status 500', state: 'waiting' },
      ])
      await advance(30_001)
      expect(await claim()).toMatchObject([{ eventId: '1', attempts: 2 }])
      await advance(leaseMs + 1)
      expect(await outbox.retry(crm)).toBe(2)
      const again = await claim()
      expect(again).toMatchObject([{ eventId: '1', attempts: 1 }])
      await outbox.settle(again[0] as ClaimedEvent, { state: 'delivered' })
      expect(await claimIds()).toEqual(['2'])
    })

    it('goes on behind an event that was set aside, and sends it when it is asked to', async () => {
      const { start, claim, claimIds, claimOne, outbox, statesOf } = await open()
      await start('a', [event('1', 'a'), event('2', 'a')])
      await outbox.settle(await claimOne(), { state: 'set aside', error: 'status 410' })
      const second = await claimOne()
      expect(second.eventId).toBe('2')
      await outbox.settle(second, { state: 'delivered' })
      expect(await statesOf()).toEqual(['2 delivered', '1 set aside'])
      const [aside] = await outbox.list(crm, { limit: 5, state: 'set aside' })
      expect(aside).toMatchObject({ eventId: '1', error: 'status 410', dueAt: null })
      expect(await outbox.retry(crm, second.number)).toBe(0)
      expect(await outbox.retry('webhook:other', aside?.number)).toBe(0)
      expect(await outbox.retry(crm, aside?.number)).toBe(1)
      expect(await claim()).toMatchObject([{ ...event('1', 'a'), attempts: 1 }])
      expect(await claimIds()).toEqual([])
    })

    it('sends now what waits alone, where no more is asked for', async () => {
      const { start, claimIds, claimOne, outbox, statesOf } = await open()
      await start('a', [event('1', 'a'), event('2', 'a')])
      await outbox.settle(await claimOne(), { state: 'set aside', error: 'no' })
      await outbox.settle(await claimOne(), { state: 'waiting', pauseMs: 30_000, error: 'status 500' })
      expect(await claimIds()).toEqual([])
      expect(await outbox.retry(crm, 'waiting')).toBe(1)
      expect(await claimIds()).toEqual(['2'])
      expect(await statesOf()).toEqual(['2 waiting', '1 set aside'])
    })

    it('lists events page by page, the latest first', async () => {
      const { start, outbox } = await open()
      await start('a', [event('1', 'a'), event('2', 'b'), event('3', 'c')])
      const [third, second] = await outbox.list(crm, { limit: 2 })
      expect([third?.eventId, second?.eventId]).toEqual(['3', '2'])
      const rest = await outbox.list(crm, { limit: 2, before: Number(second?.number) })
      expect(rest.map(({ eventId }) => eventId)).toEqual(['1'])
      expect(rest[0]).toEqual({
        number: expect.any(Number),
        eventId: '1',
        type: 'turn.completed',
        state: 'waiting',
        attempts: 0,
        createdAt: expect.any(Number),
        dueAt: expect.any(Number),
        settledAt: null,
        error: null,
      })
    })

    it('has what a change of a flow tells, with the version that is served by it, and of no other change', async () => {
      const { flows, claim, claimOne, outbox } = await open()
      const announce = {
        eventId: 'e',
        timestamp: '2026-11-21T09:17:01.712Z',
        destinations: [crm, 'webhook:b'],
      }
      const change = async (action: FlowAction) => flows.change({ ...changing('shop', action), announce })
      for (const name of ['one', 'two', 'two']) await change(publishing(name))
      await change({ kind: 'set', isClosed: true })
      await change({ kind: 'rollback', version: 1 })
      await change({ kind: 'rollback', version: 9 })
      await change({ kind: 'delete' })
      expect(await outbox.list('webhook:b', { limit: 9 })).toHaveLength(3)
      for (const version of [1, 2, 1]) {
        const claimed = await claimOne()
        expect(claimed).toMatchObject({ eventId: 'e', type: 'flow.published', line: 'flow shop' })
        const { eventId: _, destinations: __, ...told } = { ...announce, type: 'flow.published' }
        const data = { flow: 'shop', version, publishedBy: 'ann' }
        expect(JSON.parse(claimed.body)).toEqual({ ...told, data })
        await outbox.settle(claimed, { state: 'delivered' })
      }
      expect(await claim()).toEqual([])
    })

    it('drops what an erased session was to send, and nothing of others', async () => {
      const { store, start, statesOf } = await open()
      await start('a', [event('1', 'a')])
      await start('b', [event('2', 'b')])
      await start('c', [event('3', 'c')])
      await store.erase('a')
      await store.eraseIdle(['b'])
      expect(await statesOf()).toEqual(['3 waiting'])
    })

    it('forgets after their time what has arrived and what was set aside, and keeps no more than it may', async () => {
      const { start, outbox, claimOne, advance, sweep, statesOf } = await open()
      await start('a', [event('1', 'a'), event('2', 'a'), event('3', 'a')])
      await outbox.settle(await claimOne(), { state: 'delivered' })
      await outbox.settle(await claimOne(), { state: 'set aside', error: 'no' })
      await advance(outboxBounds.deliveredMs + 1)
      await start('b', [])
      await sweep()
      expect(await statesOf()).toEqual(['3 waiting', '2 set aside'])
      await advance(outboxBounds.setAsideMs)
      await start(
        'c',
        Array.from({ length: 9 }, (_, index) => event(`c${index}`, 'c')),
      )
      await sweep()
      expect((await statesOf()).at(-1)).toBe('3 waiting')
      await start('d', [event('d', 'd')])
      await sweep()
      expect((await statesOf()).at(-1)).toBe('c0 waiting')
      expect(await statesOf()).toHaveLength(10)
    })

    describe('endpoints', () => {
      it('are kept by their names, and who changed them is in the audit', async () => {
        const { endpoints, flows } = await open()
        await endpoints.put({ name: 'b', text: '{"url":"https://b.example"}', actor: 'ann' })
        await endpoints.put({ name: 'a', text: '1', actor: 'ann' })
        await endpoints.put({ name: 'a', text: '2', actor: 'bob' })
        expect(await endpoints.list()).toEqual([
          { name: 'a', text: '2', revision: 2, disabled: null },
          { name: 'b', text: '{"url":"https://b.example"}', revision: 1, disabled: null },
        ])
        expect(await endpoints.remove({ name: 'b', actor: 'bob' })).toBe(true)
        expect(await endpoints.remove({ name: 'b', actor: 'bob' })).toBe(false)
        expect((await flows.audit({ limit: 10 })).map(({ number: _, at: __, ...row }) => row)).toEqual([
          { actor: 'bob', action: 'delete webhook', subject: 'b', detail: '' },
          { actor: 'bob', action: 'put webhook', subject: 'a', detail: 'changed' },
          { actor: 'ann', action: 'put webhook', subject: 'a', detail: 'new' },
          { actor: 'ann', action: 'put webhook', subject: 'b', detail: 'new' },
        ])
      })

      it('take what was to be sent there with them', async () => {
        const { endpoints, start, statesOf, outbox } = await open()
        await endpoints.put({ name: 'crm', text: '1', actor: 'ann' })
        await start('a', [event('1', 'a'), event('2', 'a', 'webhook:other')])
        await endpoints.remove({ name: 'crm', actor: 'ann' })
        expect(await statesOf()).toEqual([])
        expect(await outbox.list('webhook:other', { limit: 5 })).toHaveLength(1)
      })

      it('get nothing of one before them that had their name, of which a turn under way may have put out more', async () => {
        const { endpoints, start, statesOf } = await open()
        await start('a', [event('1', 'a')])
        await endpoints.put({ name: 'crm', text: '1', actor: 'ann' })
        expect(await statesOf()).toEqual([])
        await start('b', [event('2', 'b')])
        await endpoints.put({ name: 'crm', text: '2', actor: 'ann' })
        expect(await statesOf()).toEqual(['2 waiting'])
      })

      it('are disabled as long as nobody changes them', async () => {
        const { endpoints } = await open()
        await endpoints.put({ name: 'a', text: '1', actor: 'ann' })
        await endpoints.disable({ name: 'a', revision: 2 }, 'Gone')
        expect(await endpoints.list()).toMatchObject([{ disabled: null }])
        await endpoints.disable({ name: 'a', revision: 1 }, 'Gone')
        expect(await endpoints.list()).toMatchObject([{ disabled: 'Gone' }])
        await endpoints.put({ name: 'a', text: '1', actor: 'ann' })
        expect(await endpoints.list()).toMatchObject([{ disabled: null, revision: 2 }])
      })
    })
  })
}

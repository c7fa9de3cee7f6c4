import { describe, expect, it, onTestFinished } from 'vitest'
import type { ContactStore } from '../../../src/stores/contact-store.ts'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import type { FlowAction, FlowTable } from '../../../src/stores/flow-table.ts'
import { destinationOf, type EndpointTable, inboxOf } from '../../../src/stores/outgoing/endpoint-table.ts'
import {
  type ClaimedEvent,
  type DeliveryStatus,
  type InboxStore,
  nameOfEvent,
  type OutboxStore,
  type OutgoingEvent,
} from '../../../src/stores/outgoing/outbox-store.ts'
import { outboxBounds } from '../../support/memory-outbox.ts'
import { enter, liveSession } from './conversation-store.ts'
import { changing, publishing } from './flow-table.ts'

/** A back end that is empty and has `outboxBounds` and `inboxBounds`. */
export interface QueuesFixture {
  open(): ConversationStore | Promise<ConversationStore>
  readonly outbox: OutboxStore
  readonly inbox: InboxStore
  readonly contacts: ContactStore
  /** Of webhooks. */
  readonly endpoints: EndpointTable
  readonly channels: EndpointTable
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
export function describeOutboxStore(name: string, setup: () => QueuesFixture | Promise<QueuesFixture>): void {
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
    async function claimOne(destination?: string): Promise<ClaimedEvent> {
      const [claimed] = await claim(1, destination)
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

    it('sends one that was set aside at once, whatever becomes of a later one that is under way', async () => {
      const { start, claim, claimIds, claimOne, outbox } = await open()
      await start('a', [event('1', 'a'), event('2', 'a')])
      await outbox.settle(await claimOne(), { state: 'set aside', error: 'no' })
      const second = await claimOne()
      expect(await outbox.retry(crm, second.number - 1)).toBe(1)
      await outbox.settle(second, { state: 'waiting', pauseMs: 30_000, error: 'status 500' })
      const [first] = await claim()
      expect(first?.eventId).toBe('1')
      expect(await claimIds()).toEqual([])
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
        status: null,
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

    describe('what receivers tell', () => {
      const chat = destinationOf('wa', 'channel')
      const bubble = (eventId: string) => event(eventId, 'ann', chat)

      async function openSent() {
        const opened = await open()
        const { start, outbox, claimOne } = opened
        await start('a', [bubble('1'), bubble('2')])
        const one = () => claimOne(chat)
        const first = await one()
        const track = (status: DeliveryStatus, reference = nameOfEvent(first), more = {}) =>
          outbox.track([{ destination: chat, reference, status, ...more }])
        const shown = async () =>
          (await outbox.list(chat, { limit: 5 })).map(
            ({ eventId, state, status }) => `${eventId} ${state} ${status}`,
          )
        const deliver = (reference?: string) =>
          outbox.settle(first, { state: 'delivered', reference, isTracked: true })
        return { ...opened, first, one, track, shown, deliver }
      }

      it('moves an event on, by its own name or by theirs, and never back', async () => {
        const { deliver, track, shown, first, outbox } = await openSent()
        await deliver('wamid.1')
        expect(await shown()).toEqual(['2 waiting null', '1 delivered null'])
        await track('delivered', 'wamid.1')
        await track('sent')
        expect(await shown()).toEqual(['2 waiting null', '1 delivered delivered'])
        const name = nameOfEvent(first)
        await outbox.track([
          { destination: chat, reference: name, status: 'read' },
          { destination: chat, reference: name, status: 'delivered' },
        ])
        await track('failed', name, { error: 'late' })
        expect(await shown()).toEqual(['2 waiting null', '1 delivered read'])
      })

      it('is of no event of another place or of another id', async () => {
        const { deliver, shown, first, outbox } = await openSent()
        await deliver('wamid.1')
        const told = { status: 'read' } as const
        await outbox.track([
          { ...told, destination: crm, reference: nameOfEvent(first) },
          { ...told, destination: crm, reference: 'wamid.1' },
          { ...told, destination: chat, reference: `${first.number}/other` },
          { ...told, destination: chat, reference: 'wamid.2' },
        ])
        expect(await shown()).toEqual(['2 waiting null', '1 delivered null'])
      })

      it('settles one whose sender has not, which sends it no more and goes on with the next', async () => {
        const { track, shown, deliver, one } = await openSent()
        await track('sent')
        expect((await one()).eventId).toBe('2')
        await deliver()
        expect(await shown()).toEqual(['2 waiting null', '1 delivered sent'])
      })

      it('has one of which they tell hold up none that are under way', async () => {
        const { track, deliver, one, claimIds } = await openSent()
        await deliver()
        expect((await one()).eventId).toBe('2')
        await track('delivered')
        expect(await claimIds(5, chat)).toEqual([])
      })

      it('sets aside what has failed, to be sent when it is asked to, unless it had arrived', async () => {
        const { track, shown, deliver, one, outbox, first } = await openSent()
        await deliver()
        await track('failed', undefined, { error: 'outside of the window' })
        expect(await shown()).toEqual(['2 waiting null', '1 set aside failed'])
        expect(await outbox.list(chat, { limit: 5, state: 'set aside' })).toMatchObject([
          { eventId: '1', error: 'outside of the window', dueAt: null, settledAt: expect.any(Number) },
        ])
        expect(await outbox.retry(chat, first.number)).toBe(1)
        expect(await one()).toMatchObject({ ...bubble('1'), attempts: 1 })
        await track('delivered')
        expect(await shown()).toEqual(['2 waiting null', '1 delivered delivered'])
        expect(await outbox.retry(chat, first.number)).toBe(0)
      })

      it('has what failed for now wait for its time, and those behind it', async () => {
        const { track, shown, deliver, claim, claimIds, advance } = await openSent()
        await deliver()
        await track('failed', undefined, { error: 'too many', pauseMs: 5000 })
        expect(await shown()).toEqual(['2 waiting null', '1 waiting failed'])
        expect(await claimIds(5, chat)).toEqual([])
        await advance(5001)
        expect(await claim(5, chat)).toMatchObject([{ ...bubble('1'), attempts: 2 }])
      })

      it('cannot have sent again what is not kept any more', async () => {
        const { track, shown, first, outbox } = await openSent()
        await outbox.settle(first, { state: 'delivered' })
        await track('failed', undefined, { error: 'too many', pauseMs: 5000 })
        expect(await shown()).toEqual(['2 waiting null', '1 set aside failed'])
        expect(await outbox.retry(chat)).toBe(1)
      })

      it('drops what an erased session was to send to a person, and nothing of others', async () => {
        const { store, start, outbox, contacts, shown } = await openSent()
        await start('b', [
          { ...bubble('3'), sessionId: 'b' },
          { ...bubble('4'), line: 'bob', sessionId: 'b' },
        ])
        await start('c', [
          { ...bubble('5'), sessionId: 'c' },
          { ...bubble('6'), line: 'bob', sessionId: 'c' },
        ])
        await store.erase('b')
        expect(await shown()).toEqual(['6', '5', '2', '1'].map((id) => `${id} waiting null`))
        await contacts.erase('ann')
        expect(await shown()).toEqual(['6 waiting null'])
        expect(await outbox.list(crm, { limit: 5 })).toEqual([])
      })
    })

    it('has the next one of a line rest, and the lines beside it not', async () => {
      const { start, claimIds, claimOne, outbox, advance } = await open()
      await start('a', [event('a1', 'a'), event('a2', 'a'), event('b1', 'b')])
      await outbox.settle(await claimOne(), { state: 'delivered', restMs: 4000 })
      expect(await claimIds()).toEqual(['b1'])
      await advance(4001)
      expect(await claimIds()).toEqual(['a2'])
    })

    it('counts no attempt that was not made', async () => {
      const { start, claim, claimOne, outbox, advance } = await open()
      await start('a', [event('a1', 'a')])
      await outbox.settle(await claimOne(), { state: 'waiting', pauseMs: 1000 })
      expect(await outbox.list(crm, { limit: 5 })).toMatchObject([{ attempts: 0, error: null }])
      expect(await claim()).toEqual([])
      await advance(1001)
      expect(await claim()).toMatchObject([{ attempts: 1 }])
    })

    describe('endpoints', () => {
      const most = 64

      it('are kept by their names, and who changed them is in the audit', async () => {
        const { endpoints, flows } = await open()
        await endpoints.put({ name: 'b', text: '{"url":"https://b.example"}', actor: 'ann', most })
        await endpoints.put({ name: 'a', text: '1', actor: 'ann', most })
        await endpoints.put({ name: 'a', text: '2', actor: 'bob', most })
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
        await endpoints.put({ name: 'crm', text: '1', actor: 'ann', most })
        await start('a', [event('1', 'a'), event('2', 'a', 'webhook:other')])
        await endpoints.remove({ name: 'crm', actor: 'ann' })
        expect(await statesOf()).toEqual([])
        expect(await outbox.list('webhook:other', { limit: 5 })).toHaveLength(1)
      })

      it('get nothing of one before them that had their name, of which a turn under way may have put out more', async () => {
        const { endpoints, start, statesOf } = await open()
        await start('a', [event('1', 'a')])
        await endpoints.put({ name: 'crm', text: '1', actor: 'ann', most })
        expect(await statesOf()).toEqual([])
        await start('b', [event('2', 'b')])
        await endpoints.put({ name: 'crm', text: '2', actor: 'ann', most })
        expect(await statesOf()).toEqual(['2 waiting'])
      })

      it('are of a kind, each with names of its own and with what is to be sent there and came from there', async () => {
        const { endpoints, channels, start, inbox, flows, outbox, statesOf } = await open()
        await endpoints.put({ name: 'crm', text: '1', actor: 'ann', most })
        await channels.put({ name: 'crm', text: '2', actor: 'ann', most })
        expect(await endpoints.list()).toMatchObject([{ name: 'crm', text: '1', revision: 1 }])
        expect(await channels.list()).toMatchObject([{ name: 'crm', text: '2', revision: 1 }])
        const chat = destinationOf('crm', 'channel')
        await start('a', [event('1', 'a'), event('2', 'a', chat)])
        await inbox.put([event('3', 'a', inboxOf('crm')), event('4', 'a', inboxOf('other'))])
        expect(await channels.remove({ name: 'crm', actor: 'bob' })).toBe(true)
        expect(await channels.list()).toEqual([])
        expect(await outbox.list(chat, { limit: 5 })).toEqual([])
        expect(await inbox.list(inboxOf('crm'), { limit: 5 })).toEqual([])
        expect(await inbox.list(inboxOf('other'), { limit: 5 })).toHaveLength(1)
        expect(await statesOf()).toEqual(['1 waiting'])
        const [row] = await flows.audit({ limit: 1 })
        expect(row).toMatchObject({ actor: 'bob', action: 'delete channel', subject: 'crm' })
      })

      it('are as many as there may be, however many are put at once, and all of them can be changed', async () => {
        const { endpoints, flows } = await open()
        const put = (_: unknown, nth: number) =>
          endpoints.put({ name: `w${nth}`, text: '1', actor: 'ann', most: 5 })
        const are = await Promise.all(Array.from({ length: 12 }, put))
        expect(are.filter((is) => is)).toHaveLength(5)
        const kept = await endpoints.list()
        expect(kept).toHaveLength(5)
        expect(await endpoints.put({ name: kept[0]!.name, text: '2', actor: 'ann', most: 5 })).toBe(true)
        expect(await endpoints.list()).toMatchObject([{ text: '2', revision: 2 }, {}, {}, {}, {}])
        expect(await flows.audit({ limit: 20 })).toHaveLength(6)
      })

      it('are disabled as long as nobody changes them', async () => {
        const { endpoints } = await open()
        await endpoints.put({ name: 'a', text: '1', actor: 'ann', most })
        await endpoints.disable({ name: 'a', revision: 2 }, 'Gone')
        expect(await endpoints.list()).toMatchObject([{ disabled: null }])
        await endpoints.disable({ name: 'a', revision: 1 }, 'Gone')
        expect(await endpoints.list()).toMatchObject([{ disabled: 'Gone' }])
        await endpoints.put({ name: 'a', text: '1', actor: 'ann', most })
        expect(await endpoints.list()).toMatchObject([{ disabled: null, revision: 2 }])
      })
    })
  })
}

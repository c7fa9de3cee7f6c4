import { describe, expect, it, onTestFinished } from 'vitest'
import { inboxOf } from '../../../src/stores/outgoing/endpoint-table.ts'
import type { ClaimedEvent, OutgoingEvent } from '../../../src/stores/outgoing/outbox-store.ts'
import { inboxBounds } from '../../support/memory-outbox.ts'
import type { QueuesFixture } from './outbox-store.ts'

const leaseMs = 20_000
const wa = inboxOf('wa')

const message = (eventId: string, line = 'ann', destination = wa): OutgoingEvent => ({
  destination,
  line,
  eventId,
  type: 'text',
  body: `{"said":"Zoë ${eventId}"}`,
})

/** Defines what an inbox is, beside what it has in common with an outbox: each implementation has to pass. */
export function describeInboxStore(name: string, setup: () => QueuesFixture | Promise<QueuesFixture>): void {
  async function open() {
    const { close, ...fixture } = await setup()
    const store = await fixture.open()
    onTestFinished(async () => {
      await store.close()
      await close?.()
    })
    const { inbox } = fixture
    const claim = (limit = 10) => inbox.claim([{ destination: wa, limit }], leaseMs)
    const claimIds = async () => (await claim()).map(({ eventId }) => eventId)
    const statesOf = async () =>
      (await inbox.list(wa, { limit: 20 })).map(({ eventId, state }) => `${eventId} ${state}`)
    async function answerOne(outcome: Parameters<typeof inbox.settle>[1] = { state: 'delivered' }) {
      const [claimed] = await claim(1)
      await inbox.settle(claimed as ClaimedEvent, outcome)
    }
    return { ...fixture, claim, claimIds, statesOf, answerOne }
  }

  describe(name, () => {
    it('has messages as they came, in the order of each person', async () => {
      const { inbox, claim, claimIds, answerOne } = await open()
      await inbox.put([message('1'), message('2'), message('3', 'bob')])
      await inbox.put([message('4')])
      expect(await claim()).toMatchObject([message('1'), message('3', 'bob')])
      expect(await claimIds()).toEqual([])
      await inbox.retry(wa)
      await answerOne()
      expect(await claimIds()).toEqual(['3', '2'].sort())
    })

    it('keeps a message once, however often and beside whichever others it comes', async () => {
      const { inbox, statesOf, answerOne } = await open()
      await inbox.put([message('1'), message('1')])
      await Promise.all([inbox.put([message('1'), message('2')]), inbox.put([message('2'), message('3')])])
      expect((await statesOf()).sort()).toEqual(['1 waiting', '2 waiting', '3 waiting'])
      await answerOne()
      await inbox.put([message('1')])
      expect((await statesOf()).sort()).toEqual(['1 delivered', '2 waiting', '3 waiting'])
    })

    it('takes the same id by two channels', async () => {
      const { inbox, claimIds } = await open()
      await inbox.put([message('1'), message('1', 'ann', inboxOf('other'))])
      expect(await claimIds()).toEqual(['1'])
      expect(await inbox.list(inboxOf('other'), { limit: 5 })).toHaveLength(1)
    })

    it('gives a message anew whose answer was not kept, and sets aside what cannot be answered', async () => {
      const { inbox, claim, claimIds, statesOf, answerOne, advance } = await open()
      await inbox.put([message('1'), message('2')])
      await claim()
      await advance(leaseMs + 1)
      expect(await claim()).toMatchObject([{ eventId: '1', attempts: 2 }])
      await inbox.retry(wa, 'waiting')
      await answerOne({ state: 'set aside', error: 'the flow is gone' })
      expect(await claimIds()).toEqual(['2'])
      expect(await statesOf()).toEqual(['2 waiting', '1 set aside'])
      expect(await inbox.retry(wa)).toBe(2)
      expect(await claimIds()).toEqual(['1'])
    })

    it('knows what was answered for its time, and then takes it anew', async () => {
      const { inbox, statesOf, answerOne, advance, sweep } = await open()
      await inbox.put([message('1'), message('2', 'bob')])
      await answerOne()
      await answerOne({ state: 'set aside', error: 'no' })
      await advance(inboxBounds.knownMs - 5000)
      await inbox.put([message('1'), message('3')])
      await sweep()
      expect(await statesOf()).toEqual(['3 waiting', '2 set aside', '1 delivered'])
      await advance(5001)
      await inbox.put([message('4')])
      await sweep()
      expect(await statesOf()).toEqual(['4 waiting', '3 waiting'])
      await inbox.put([message('1')])
      expect(await statesOf()).toEqual(['1 waiting', '4 waiting', '3 waiting'])
    })

    it('refuses what it has no room for, and drops nothing that waits', async () => {
      const { inbox, statesOf, answerOne } = await open()
      const ids = Array.from({ length: inboxBounds.maxWaiting }, (_, index) => `${index}`)
      for (const id of ids) await inbox.put([message(id, `line ${id}`)])
      await expect(inbox.put([message('more'), message('yet more')])).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
      await inbox.put([message('3', 'line 3')])
      expect(await statesOf()).toEqual(ids.map((id) => `${id} waiting`).reverse())
      await answerOne()
      await inbox.put([message('more')])
      expect(await statesOf()).toHaveLength(7)
    })

    it('refuses what is too much of one person, and takes what others say beside it', async () => {
      const { inbox, statesOf, answerOne } = await open()
      const ids = Array.from({ length: inboxBounds.maxOfLine }, (_, index) => `${index}`)
      for (const id of ids) await inbox.put([message(id)])
      const both = [message('more'), message('of bob', 'bob')]
      const puts = [inbox.put(both), inbox.put([message('1')]), inbox.put([message('of bob', 'bob')])]
      expect((await Promise.allSettled(puts)).map(({ status }) => status)).toEqual([
        'rejected',
        'fulfilled',
        'fulfilled',
      ])
      expect(await statesOf()).toEqual([...ids, 'of bob'].map((id) => `${id} waiting`).reverse())
      await answerOne()
      await inbox.put(both)
      expect((await statesOf())[0]).toBe('more waiting')
    })

    it('has the oldest that were answered make room, and none that waits', async () => {
      const { inbox, statesOf, answerOne, sweep } = await open()
      await inbox.put([message('first', 'bob'), message('aside', 'eve')])
      await inbox.claim([{ destination: wa, limit: 1 }], leaseMs)
      await answerOne({ state: 'set aside', error: 'no' })
      for (let nth = 0; nth < 12; nth++) {
        await inbox.put([message(`${nth}`)])
        await answerOne()
      }
      await sweep()
      const states = await statesOf()
      expect(states.length).toBeLessThanOrEqual(inboxBounds.maxEvents + 1)
      expect(states[0]).toBe('11 delivered')
      expect(states.at(-1)).toBe('first waiting')
      expect(states).not.toContain('aside set aside')
    })

    it('counts what waits', async () => {
      const { inbox, answerOne } = await open()
      await inbox.put([message('1'), message('2', 'bob', inboxOf('other')), message('3')])
      expect(await inbox.countWaiting()).toBe(3)
      await answerOne()
      await answerOne({ state: 'set aside', error: 'no' })
      expect(await inbox.countWaiting()).toBe(1)
    })

    it('drops what an erased person said, and nothing of others', async () => {
      const { inbox, contacts, statesOf } = await open()
      await inbox.put([message('1'), message('2', 'bob')])
      await contacts.erase('ann')
      expect(await statesOf()).toEqual(['2 waiting'])
    })
  })
}

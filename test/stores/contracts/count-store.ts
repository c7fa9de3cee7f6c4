import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import type { CountRow, CountStore } from '../../../src/stores/counts/count-store.ts'
import type { TurnFacts } from '../../../src/stores/counts/turn-facts.ts'
import { enter, liveSession } from './conversation-store.ts'

/** A back end that is empty. */
interface CountFixture {
  /** By the clock of the back end, in milliseconds since 1970. */
  readonly now: number
  open(): ConversationStore | Promise<ConversationStore>
  readonly counts: CountStore
  advance(ms: number): void | Promise<void>
  /** Joins hours to days, and drops what is past its time. */
  sweep(): Promise<unknown>
  close?(): void | Promise<void>
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Defines what a store of counts is: each implementation has to pass. */
export function describeCountStore(name: string, setup: () => CountFixture | Promise<CountFixture>): void {
  async function open() {
    const fixture = await setup()
    const store = await fixture.open()
    onTestFinished(async () => {
      await store.close()
      await fixture.close?.()
    })
    const { counts } = fixture
    const now = Math.floor(fixture.now / hourMs)
    const factsOf = (changed: Partial<TurnFacts> = {}): TurnFacts => ({
      flowId: 'f1',
      version: 'v1',
      hour: now,
      happened: ['shown', 'b1', 'shown', 'b2', 'shown', 'b1', 'edge', 'e1'],
      ...changed,
    })
    const all = { flowId: 'f1', from: 0, until: 1e7, settled: now }
    const start = (id: string, facts: TurnFacts) =>
      store.start({ session: liveSession(id), results: [], counted: { facts, places: () => ['b1', 'b2'] } })
    const fold = async () => {
      while (await counts.fold());
    }
    const sums = async (changed: Partial<typeof all> & { version?: string } = {}) => {
      await fold()
      const found = await counts.sum({ ...all, ...changed })
      return found
        .map(({ version, kind, name, count, settled }) => `${version} ${kind} ${name}: ${count}, ${settled}`)
        .sort()
    }
    return { ...fixture, store, now, all, factsOf, start, fold, sums }
  }

  describe(name, () => {
    it('counts what turns left, each once', async () => {
      const { start, sums, factsOf } = await open()
      await start('s1', factsOf())
      await start('s2', factsOf({ happened: ['shown', 'b1'] }))
      const expected = ['v1 edge e1: 1, 0', 'v1 shown b1: 3, 0', 'v1 shown b2: 1, 0']
      expect(await sums()).toEqual(expected)
      expect(await sums()).toEqual(expected)
    })

    it('counts a turn that is kept, and none that is not', async () => {
      const { store, start, sums, factsOf } = await open()
      await start('s1', factsOf())
      const [first, second] = [await enter(store, 's1'), 's1'] as const
      const counted = { facts: factsOf({ happened: ['answered', 'b1'] }), places: () => [] }
      const turn = { session: first.conversation.session, results: [], counted }
      expect(await store.commit(first.lease, turn)).toBe(2)
      expect(await store.commit(first.lease, turn)).toBeUndefined()
      const refused = await enter(store, second)
      await store.release(refused.lease)
      expect(await sums()).toContain('v1 answered b1: 1, 0')
    })

    it('tells since when turns are not counted', async () => {
      const { start, factsOf, counts, fold, now } = await open()
      expect(await counts.pendingSince()).toBeUndefined()
      await start('s1', factsOf({ hour: now - 2 }))
      await start('s2', factsOf())
      // The chore may have counted them meanwhile.
      expect([now - 2, undefined]).toContain(await counts.pendingSince())
      await fold()
      expect(await counts.pendingSince()).toBeUndefined()
    })

    it('keeps counts apart by flow, version and hour', async () => {
      const { start, sums, factsOf, now } = await open()
      const happened = ['shown', 'b1']
      await start('s1', factsOf({ happened }))
      await start('s2', factsOf({ happened, version: 'v2', hour: now - 2 }))
      await start('s3', factsOf({ happened, flowId: 'f2' }))
      expect(await sums()).toEqual(['v1 shown b1: 1, 0', 'v2 shown b1: 1, 1'])
      expect(await sums({ version: 'v2' })).toEqual(['v2 shown b1: 1, 1'])
      expect(await sums({ from: now })).toEqual(['v1 shown b1: 1, 0'])
      expect(await sums({ until: now })).toEqual(['v2 shown b1: 1, 1'])
      expect(await sums({ flowId: 'f2' })).toEqual(['v1 shown b1: 1, 0'])
    })

    it('takes back what has gone on, and keeps nothing of what has come to nothing', async () => {
      const { start, sums, counts, factsOf, now, all } = await open()
      await start('s1', factsOf({ happened: [], before: [[now - 1, 'path', 'A', 1]] }))
      await start('s2', factsOf({ happened: [], before: [[now - 1, 'path', 'A', 1]] }))
      expect(await sums()).toEqual(['v1 path A: 2, 2'])
      const goOn = [
        [now - 1, 'path', 'A', -1],
        [now - 1, 'path', 'B', 1, 'v2'],
      ] as const
      await start('s3', factsOf({ happened: [], before: goOn }))
      await start('s4', factsOf({ happened: [], before: goOn }))
      expect(await sums()).toEqual(['v2 path B: 2, 2'])
      expect(await counts.page({ ...all, after: undefined, limit: 10 })).toHaveLength(1)
    })

    it('keeps counts when a conversation is erased', async () => {
      const { store, start, sums, factsOf } = await open()
      await start('s1', factsOf())
      const before = await sums()
      await start('s2', factsOf({ happened: ['refused', 'b1'] }))
      await store.erase('s1')
      await store.erase('s2')
      expect(await sums()).toEqual([...before, 'v1 refused b1: 1, 0'].sort())
    })

    it('tells hours apart for a week, and days from then on', async () => {
      const { start, sweep, fold, advance, counts, factsOf, now, all } = await open()
      const hours = async () =>
        (await counts.page({ ...all, after: undefined, limit: 10 })).map(({ hour, count }) => [hour, count])
      const happened = ['shown', 'b1']
      const midnight = now - (now % 24)
      for (const hour of [midnight, midnight + 1, midnight + 1])
        await start(`s${hour}${Math.random()}`, factsOf({ happened, hour }))
      await fold()
      await sweep()
      expect(await hours()).toEqual([
        [midnight, 1],
        [midnight + 1, 2],
      ])
      await advance(9 * dayMs)
      await sweep()
      await fold()
      expect(await hours()).toEqual([[midnight, 3]])
      await start('late', factsOf({ happened, hour: midnight + 5 }))
      await fold()
      expect(await hours()).toEqual([[midnight, 4]])
    })

    it('gives counts page by page', async () => {
      const { start, fold, counts, factsOf, now, all } = await open()
      const names = Array.from({ length: 7 }, (_, nth) => `b${nth}`)
      await start(
        's1',
        factsOf({
          happened: names.flatMap((name) => ['shown', name]),
          before: [[now - 3, 'asked', 'b"1\n', 1]],
        }),
      )
      await fold()
      const rows: CountRow[] = []
      for (let page: readonly CountRow[]; ; ) {
        page = await counts.page({ ...all, after: rows.at(-1), limit: 3 })
        rows.push(...page)
        if (page.length < 3) break
      }
      expect(rows).toEqual([
        { hour: now - 3, version: 'v1', kind: 'asked', name: 'b"1\n', count: 1 },
        ...names.map((name) => ({ hour: now, version: 'v1', kind: 'shown', name, count: 1 })),
      ])
    })

    it('knows the places of each version', async () => {
      const { start, counts, factsOf } = await open()
      await start('s1', factsOf())
      await start('s2', factsOf({ version: 'v2' }))
      await start('s3', factsOf({ flowId: 'f2', version: 'v3' }))
      const places = await counts.places('f1')
      expect([...places].sort((one, other) => (one.version < other.version ? -1 : 1))).toEqual([
        { version: 'v1', places: ['b1', 'b2'] },
        { version: 'v2', places: ['b1', 'b2'] },
      ])
      expect(await counts.places('f3')).toEqual([])
    })

    it('counts more turns than a step takes, while several fold', async () => {
      const { start, fold, sums, factsOf } = await open()
      await Promise.all(Array.from({ length: 450 }, (_, nth) => start(`s${nth}`, factsOf())))
      await Promise.all([fold(), fold(), fold()])
      expect(await sums()).toEqual(['v1 edge e1: 450, 0', 'v1 shown b1: 900, 0', 'v1 shown b2: 450, 0'])
    })
  })
}

import { describe, expect, it } from 'vitest'
import type { MaskedValue } from '../../../src/engine/values/sensitive-values.ts'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import { Path } from '../../../src/stores/counts/path-bits.ts'
import type {
  PathFilter,
  Result,
  ResultFilter,
  ResultName,
  ResultStore,
  ResultUpdate,
  ResultVisit,
} from '../../../src/stores/result-store.ts'
import { liveSession } from './conversation-store.ts'

/** Everything that one turn can change, in every shape that values have. */
const wholeUpdate: ResultUpdate = {
  id: 'r1',
  flowId: 'flow-1',
  now: 1_795_252_621_712,
  variables: [
    { id: 'v1', name: 'Name', value: 'Zoë "Ω" 🙂' },
    { id: 'v2', name: '__proto__', value: ['a', null] },
  ],
  answers: [
    { blockId: 'b1', content: 'Zoë' },
    { blockId: 'b1', content: 'again', attachedFileUrls: ['https://files.example/1'] },
  ],
  transcript: [
    { role: 'assistant', text: 'Who?' },
    { role: 'user', text: 'Zoë \\ "\u0001\n' },
  ],
  logs: [
    {
      status: 'info',
      description: 'Sent',
      details: '{}',
      context: 'Mail',
      flowId: 'f',
      groupId: 'g',
      blockId: 'b',
    },
  ],
  requestId: 'q1',
  hasStarted: true,
  isCompleted: true,
  lastChatSessionId: 's1',
}

const { now, requestId, ...given } = wholeUpdate

/** What that leaves behind. */
const wholeResult = {
  ...given,
  createdAt: now,
  updatedAt: now,
  logs: [{ ...given.logs?.[0], time: now, requestId }],
} as Result

/** A change that makes a result with nothing in it. */
export const creating = (id: string, flowId = 'flow-1'): ResultUpdate => ({
  id,
  flowId,
  now,
  lastChatSessionId: 's1',
})

/** The pages of a flow's results, as lists of their ids. */
export async function pagesOf(
  store: ResultStore,
  flowId: string,
  limit: number,
  filter?: ResultFilter,
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await store.list(flowId, { limit, cursor, filter })
    pages.push(idsOf(page))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

/** How many of a flow's results a filter asks for, and in how many requests that was counted. */
async function countOf(
  store: ResultStore,
  filter?: ResultFilter,
): Promise<[count: number, requests: number]> {
  let [count, requests] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await store.count('flow-1', { cursor, filter })
    count += page.count
    requests += 1
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return [count, requests]
}

const idsOf = ({ results }: { readonly results: readonly Result[] }) => results.map(({ id }) => id)

const sessionsOf = (names: readonly ResultName[]) =>
  Object.fromEntries(names.map(({ id, lastChatSessionId }) => [id, lastChatSessionId]))

/** A store with a way to write to it, and whether the result is there afterwards. */
interface WritableResults extends ResultStore {
  update(change: ResultUpdate): Promise<boolean>
}

/** Where results are read, and what writes them. */
export interface ResultStoreFixture {
  readonly results: ResultStore
  readonly conversations: ConversationStore
}

type Setup = () => ResultStoreFixture | Promise<ResultStoreFixture>

/** Writes as starts do, each with a session of its own. */
async function open(setup: Setup): Promise<WritableResults> {
  const { results, conversations } = await setup()
  let starts = 0
  return {
    ...results,
    async update(change) {
      starts += 1
      await conversations.start({ session: liveSession(`session-${starts}`), results: [change] })
      return (await results.get(change.flowId, change.id)) !== undefined
    },
  }
}

async function holding(setup: Setup, ...ids: string[]) {
  const store = await open(setup)
  for (const id of ids) await store.update(creating(id))
  return store
}

/** A place that each version of very many has elsewhere, the last one where others have it. */
const manyPaths = (index: number): PathFilter[] =>
  Array.from({ length: 1500 }, (_, nth) =>
    nth === 1499
      ? { versions: ['v1', 'v2'], through: [index], without: [] }
      : { versions: [`w${nth}`], through: [nth], without: [] },
  )

/** Defines what a result store is: each implementation has to pass. `setup` gives an empty, roomy one. */
export function describeResultStore(name: string, setup: Setup): void {
  describe(name, () => {
    it('counts the results that it holds', async () => {
      const store = await holding(setup, 'r1', 'r2')
      const { entries, bytes } = await store.usage()
      expect([entries, bytes > 0]).toEqual([2, true])
      await store.delete('flow-1', ['r1'])
      expect(await store.usage()).toMatchObject({ entries: 1, evicted: 0 })
    })

    describe('adding', () => {
      it('keeps new results, in their order', async () => {
        const store = await holding(setup, 'r0')
        expect(await store.add('flow-1', [wholeUpdate, { ...creating('r2'), now: now + 1 }])).toBe(2)
        expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
        expect(await pagesOf(store, 'flow-1', 5)).toEqual([['r2', 'r1', 'r0']])
        expect((await store.usage()).entries).toBe(3)
      })

      it('leaves those that are there, were erased or come twice', async () => {
        const store = await holding(setup, 'r1', 'r2')
        await store.delete('flow-1', ['r2'])
        const added = ['r1', 'r2', 'r3', 'r3'].map((id) => ({ ...creating(id), hasStarted: true }))
        expect(await store.add('flow-1', added)).toBe(1)
        expect(await store.get('flow-1', 'r1')).toMatchObject({ hasStarted: false })
        expect(await store.get('flow-1', 'r2')).toBeUndefined()
        expect(await store.add('flow-1', added)).toBe(0)
        expect(await store.delete('flow-1', ['r3'])).toHaveLength(1)
      })

      it('knows when they will have outlived their time', async () => {
        const store = await open(setup)
        await store.add('flow-1', [{ ...creating('r1'), retention: { results: 1000 } }])
        expect(await store.outlived(now + 2000, 5)).toEqual([{ flowId: 'flow-1', id: 'r1' }])
      })
    })

    describe('reading', () => {
      it('gives back a result as it was made', async () => {
        const store = await open(setup)
        expect(await store.update(wholeUpdate)).toBe(true)
        expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
      })

      it.each([
        ['a result that was never made', 'flow-1', 'r2'],
        ['the result of another flow', 'flow-2', 'r1'],
        ['a name that every object has', 'flow-1', 'constructor'],
      ])('does not find %s', async (_name, flowId, resultId) => {
        const store = await holding(setup, 'r1')
        expect(await store.get(flowId, resultId)).toBeUndefined()
        expect(await store.delete(flowId, [resultId])).toEqual([])
        expect(await store.get('flow-1', 'r1')).toBeDefined()
        expect(await store.update(creating('r1'))).toBe(true)
      })

      it('knows which ids there are, in whatever flow', async () => {
        const store = await holding(setup, 'r1')
        for (const nth of [2, 3, 4]) await store.update(creating(`r${nth}`, `flow-${nth}`))
        const exist = async (...ids: string[]) => Promise.all(ids.map((id) => store.exists(id)))
        expect(await exist('r1', 'r2', 'r4', 'r5', 'flow-1', '')).toEqual([
          true,
          true,
          true,
          false,
          false,
          false,
        ])
        await store.delete('flow-2', ['r2'])
        await store.delete('flow-1', ['never'])
        expect(await exist('r1', 'r2', 'never')).toEqual([true, false, false])
      })

      it('knows of no id while it holds nothing', async () => {
        expect(await (await open(setup)).exists('r1')).toBe(false)
      })

      it('distinguishes ids wherever a flow and a result could be cut', async () => {
        const store = await open(setup)
        await store.update(creating('b"/:c', 'a'))
        expect(await store.get('a"/:b', 'c')).toBeUndefined()
        expect(await store.get('a', 'b"/:c')).toBeDefined()
      })

      it('shares nothing with who changes, and nothing with who reads', async () => {
        const store = await open(setup)
        const answers = [...(wholeUpdate.answers ?? [])]
        await store.update({ ...wholeUpdate, answers })
        answers.pop()
        for (const read of [
          await store.get('flow-1', 'r1'),
          (await store.list('flow-1', { limit: 1 })).results[0],
        ])
          Object.assign(read ?? {}, { isCompleted: false })
        expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
      })
    })

    describe('what outlives its time', () => {
      const email = { name: 'Email', sensitivity: 'personal', mark: '[Email]' } as const
      const pin = { name: 'PIN', sensitivity: 'secret', mark: '[PIN]', text: '8264' } as const
      const told = (id: string, text: string, more: Partial<ResultUpdate> = {}): ResultUpdate => ({
        ...creating(id),
        variables: [{ id: 'v1', name: 'Email', value: '[Email]', sensitivity: 'personal' }],
        transcript: [{ role: 'user', text: 'It is [Email]' }],
        masked: [{ ...email, text }],
        ...more,
      })

      it('is found once it is due, the earliest first, and not before', async () => {
        const store = await open(setup)
        await store.update({ ...creating('r1'), retention: { results: 500_000 } })
        await store.update({ ...creating('r2'), retention: { results: 900_000, unfinished: 100_000 } })
        await store.update(creating('r3'))
        await store.update({ ...creating('r4'), retention: { personal: 1000 } })
        const found = async (after: number, limit = 9) =>
          (await store.outlived(now + after, limit)).map(({ flowId, id }) => `${flowId} ${id}`)
        expect(await found(99_999)).toEqual([])
        expect(await found(110_000)).toEqual(['flow-1 r2'])
        expect(await found(550_000)).toEqual(['flow-1 r2', 'flow-1 r1'])
        expect(await found(550_000, 1)).toEqual(['flow-1 r2'])
        await store.delete('flow-1', ['r2'])
        expect(await found(9_000_000)).toEqual(['flow-1 r1'])
      })

      it('moves with each change, and stays where a change says nothing of it', async () => {
        const store = await open(setup)
        const retention = { results: 100_000 }
        await store.update({ ...creating('r1'), retention })
        await store.update({ ...creating('r1'), now: now + 90_000, retention })
        expect(await store.outlived(now + 189_999, 9)).toEqual([])
        await store.update({ ...creating('r1'), now: now + 95_000 })
        expect(await store.outlived(now + 200_000, 9)).toHaveLength(1)
        expect(await store.get('flow-1', 'r1')).toMatchObject({ retention })
      })

      it('goes, and leaves marks where it stood', async () => {
        const store = await open(setup)
        const retention = { results: 900_000, personal: 200_000, secret: 100_000 }
        await store.update(told('r1', 'ada@shop.example', { retention, isCompleted: true }))
        await store.update(
          told('r1', 'ada@shop.example', {
            retention,
            masked: [{ ...email, text: 'ada@shop.example' }, pin],
          }),
        )
        await store.forget('flow-1', 'r1', now + 100_000)
        expect((await store.get('flow-1', 'r1'))?.masked).toEqual([{ ...email, text: 'ada@shop.example' }])
        expect(await store.outlived(now + 199_999, 9)).toEqual([])
        await store.forget('flow-1', 'r1', now + 200_000)
        const left = await store.get('flow-1', 'r1')
        expect(left).not.toHaveProperty('masked')
        expect(left).toMatchObject({ variables: [], isCompleted: true, updatedAt: now })
        expect(left?.transcript).toHaveLength(2)
        expect(left?.transcript[0]).toEqual({ role: 'user', text: 'It is [Email]' })
        expect(await store.outlived(now + 899_999, 9)).toEqual([])
        expect(await store.outlived(now + 900_000, 9)).toEqual([{ flowId: 'flow-1', id: 'r1' }])
      })

      it('is forgotten of nothing that is not there', async () => {
        const store = await holding(setup, 'r1')
        await store.forget('flow-1', 'r2', now)
        await store.forget('flow-2', 'r1', now)
        expect(await store.usage()).toMatchObject({ entries: 1 })
        await store.delete('flow-1', ['r1'])
        await store.forget('flow-1', 'r1', now)
        expect(await store.get('flow-1', 'r1')).toBeUndefined()
      })

      it('has a mark of its own for each value', async () => {
        const store = await open(setup)
        await store.update(told('r1', 'ada@shop.example'))
        await store.update(told('r1', 'bob@shop.example'))
        await store.update(told('r1', 'ada@shop.example'))
        const { masked, transcript } = (await store.get('flow-1', 'r1')) as Result
        expect(masked?.map(({ mark, text }) => [mark, text])).toEqual([
          ['[Email]', 'ada@shop.example'],
          ['[Email 2]', 'bob@shop.example'],
        ])
        expect(transcript.map(({ text }) => text)).toEqual([
          'It is [Email]',
          'It is [Email 2]',
          'It is [Email]',
        ])
      })

      it('is found by an answer of which a part stands beside it', async () => {
        const store = await open(setup)
        await store.update(told('r1', 'Ada', { answers: [{ blockId: 'b1', content: 'I am [Email], 36' }] }))
        expect(await pagesOf(store, 'flow-1', 9, { answer: 'i am ada, 36' })).toEqual([['r1']])
        expect(await pagesOf(store, 'flow-1', 9, { answer: 'i am [email], 36' })).toEqual([[]])
      })
    })

    describe('a change', () => {
      it('makes an empty result of what it leaves out', async () => {
        const store = await open(setup)
        await store.update({ id: 'r1', flowId: 'flow-1', now })
        expect(await store.get('flow-1', 'r1')).toStrictEqual({
          id: 'r1',
          flowId: 'flow-1',
          createdAt: now,
          updatedAt: now,
          variables: [],
          answers: [],
          transcript: [],
          logs: [],
          hasStarted: false,
          isCompleted: false,
          lastChatSessionId: '',
        })
      })

      it('leaves what it does not name as it is, but for the time', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        const change = { id: 'r1', flowId: 'flow-1', now: now + 5 }
        expect(await store.update(change)).toBe(true)
        expect(await store.get('flow-1', 'r1')).toStrictEqual({ ...wholeResult, updatedAt: now + 5 })
      })

      it('adds to what was said, and takes the place of the rest', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        const added = {
          requestId: 'q2',
          answers: [{ blockId: 'b2', content: 'blue' }],
          transcript: [{ role: 'user' as const, text: 'blue' }],
          logs: [{ status: 'error' as const, description: 'Failed' }],
        }
        const replaced = { variables: [], hasStarted: false, lastChatSessionId: 's2' }
        await store.update({
          id: 'r1',
          flowId: 'flow-1',
          now: now + 5,
          ...added,
          ...replaced,
        })
        expect(await store.get('flow-1', 'r1')).toStrictEqual({
          ...wholeResult,
          ...replaced,
          updatedAt: now + 5,
          answers: [...wholeResult.answers, ...added.answers],
          transcript: [...wholeResult.transcript, ...added.transcript],
          logs: [...wholeResult.logs, { ...added.logs[0], time: now + 5, requestId: 'q2' }],
        })
      })

      it('never takes back that a result is completed', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        await store.update({ ...creating('r1'), isCompleted: false })
        expect(await store.get('flow-1', 'r1')).toMatchObject({ isCompleted: true })
      })

      it('keeps results of one id in two flows apart', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        await store.update(creating('r1', 'flow-2'))
        expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
        expect(await store.get('flow-2', 'r1')).toMatchObject({ flowId: 'flow-2', answers: [] })
      })
    })

    describe('what is kept', () => {
      const kept = async (...changes: Partial<ResultUpdate>[]) => {
        const store = await open(setup)
        for (const change of changes) await store.update({ ...creating('r1'), ...change })
        return (await store.get('flow-1', 'r1')) as Result
      }
      const log = (details: string) => ({ status: 'info' as const, description: 'd', details })

      it.each([
        [999, 'x'.repeat(999)],
        [1000, `${'x'.repeat(1000)}...`],
        [1001, `${'x'.repeat(1000)}...`],
      ])('of details with %i characters', async (length, details) => {
        expect((await kept({ logs: [log('x'.repeat(length))] })).logs).toEqual([
          { ...log(details), time: now },
        ])
      })

      it('of details is well-formed wherever they are cut', async () => {
        const { logs } = await kept({ logs: [log(`${'x'.repeat(999)}🙂🙂`)] })
        expect(logs[0]?.details?.isWellFormed()).toBe(true)
      })

      it('of a log without a status is an error', async () => {
        expect((await kept({ logs: [{ description: 'd' }] })).logs).toEqual([
          { status: 'error', description: 'd', time: now },
        ])
      })

      it.each(['answers', 'transcript', 'logs'] as const)(
        'of 1,005 %s are the latest 1,000',
        async (list) => {
          const entry = (number: number) =>
            ({
              answers: { blockId: 'b1', content: `${number}` },
              transcript: { role: 'user', text: `${number}` },
              logs: { status: 'info', description: `${number}` },
            })[list]
          const all = Array.from({ length: 1005 }, (_, number) => entry(number))
          const result = await kept({ [list]: all.slice(0, 600) }, { [list]: all.slice(600) })
          expect(result[list]).toMatchObject(all.slice(5))
          expect(result[list]).toHaveLength(1000)
        },
      )

      it('of long lines is less, and the last line whatever its length', async () => {
        const line = (text: string) => ({ role: 'assistant' as const, text })
        const long = line('x'.repeat(100_000))
        const { transcript } = await kept({ transcript: [line('first'), long, long] }, { transcript: [long] })
        expect(transcript).toEqual([long, long])
        const endless = line('y'.repeat(300_000))
        expect((await kept({ transcript: [long, endless] })).transcript).toEqual([endless])
      })
    })

    describe('listing', () => {
      it('begins with the latest, and ends without a cursor', async () => {
        const store = await holding(setup, 'a', 'b', 'c', 'd', 'e')
        expect(await pagesOf(store, 'flow-1', 2)).toEqual([['e', 'd'], ['c', 'b'], ['a']])
        expect(await pagesOf(store, 'flow-1', 5)).toEqual([['e', 'd', 'c', 'b', 'a']])
        expect(await pagesOf(store, 'flow-1', 1)).toEqual([['e'], ['d'], ['c'], ['b'], ['a']])
      })

      it('gives results whole', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        expect(await store.list('flow-1', { limit: 10 })).toStrictEqual({ results: [wholeResult] })
      })

      it('keeps to the order of creation when results change', async () => {
        const store = await holding(setup, 'a', 'b', 'c')
        await store.update({ ...creating('a'), now: now + 1000 })
        await store.get('flow-1', 'b')
        expect(await pagesOf(store, 'flow-1', 10)).toEqual([['c', 'b', 'a']])
      })

      it('holds one flow', async () => {
        const store = await holding(setup, 'a')
        await store.update(creating('b', 'flow-2'))
        expect(await pagesOf(store, 'flow-1', 10)).toEqual([['a']])
        expect(await store.list('flow-3', { limit: 10 })).toStrictEqual({ results: [] })
        expect(await store.list('constructor', { limit: 10 })).toStrictEqual({ results: [] })
      })

      it('goes on where it was while results are added and deleted', async () => {
        const store = await holding(setup, 'a', 'b', 'c', 'd', 'e')
        const { nextCursor: cursor } = await store.list('flow-1', { limit: 2 })
        await store.update(creating('f'))
        await store.delete('flow-1', ['d'])
        await store.delete('flow-1', ['c'])
        expect(idsOf(await store.list('flow-1', { limit: 2, cursor }))).toEqual(['b', 'a'])
        expect(await pagesOf(store, 'flow-1', 10)).toEqual([['f', 'e', 'b', 'a']])
      })

      it('takes the same cursor twice, and with another limit', async () => {
        const store = await holding(setup, 'a', 'b', 'c', 'd')
        const { nextCursor: cursor } = await store.list('flow-1', { limit: 1 })
        expect(idsOf(await store.list('flow-1', { limit: 1, cursor }))).toEqual(['c'])
        expect(idsOf(await store.list('flow-1', { limit: 9, cursor }))).toEqual(['c', 'b', 'a'])
      })

      it('stays complete through many additions and deletions', async () => {
        const ids = Array.from({ length: 300 }, (_, number) => `r${number}`)
        const store = await holding(setup, ...ids)
        for (const id of ids) if (!id.endsWith('7')) await store.delete('flow-1', [id])
        await store.update(creating('last'))
        const left = ['last', ...ids.filter((id) => id.endsWith('7')).reverse()]
        expect((await pagesOf(store, 'flow-1', 7)).flat()).toEqual(left)
      })

      it.each(['', 'x', '-1', '0', '1', 'null', 'bm9uc2Vuc2U', '🙂', 'x'.repeat(10_000)])(
        'refuses the cursor "%.20s"',
        async (cursor) => {
          const store = await holding(setup, 'a', 'b')
          await expect(store.list('flow-1', { limit: 1, cursor })).rejects.toMatchObject({
            code: 'BAD_REQUEST',
            problems: [{ pointer: '/cursor' }],
          })
        },
      )
    })

    describe('asking for some', () => {
      const day = 86_400_000
      const answered = (id: string, ...contents: string[]): ResultUpdate => ({
        ...creating(id),
        answers: contents.map((content, index) => ({ blockId: `b${index}`, content })),
      })
      /** Results of five days, each with an answer. */
      const ofDays = async () => {
        const store = await open(setup)
        const answers = ['Ada@shop.example', 'bob', ' ada@Shop.example\n', 'x"\\ÉΣ', 'bob@shop.example']
        for (const [index, content] of answers.entries())
          await store.update({ ...answered(`r${index + 1}`, content), now: day * (index + 1) })
        return store
      }
      const asked = async (filter: ResultFilter, limit = 10) =>
        (await pagesOf(await ofDays(), 'flow-1', limit, filter)).flat()

      it.each<[string, ResultFilter, string[]]>([
        ['from a time on', { from: 4 * day }, ['r5', 'r4']],
        ['before a time', { until: 2 * day }, ['r1']],
        ['between times', { from: 2 * day, until: 4 * day }, ['r3', 'r2']],
        ['of no time', { from: 9 * day }, []],
        ['by an answer, whatever its capitals and blanks', { answer: ' ADA@shop.example' }, ['r3', 'r1']],
        ['by a whole answer alone', { answer: 'shop.example' }, []],
        ['by an answer that JSON writes otherwise', { answer: 'X"\\éσ' }, []],
        ['by an answer beyond ASCII', { answer: 'X"\\éς' }, ['r4']],
        ['by an answer to a block', { answer: 'Bob', answeredAt: 'b0' }, ['r2']],
        ['by an answer to a block that took none', { answer: 'bob', answeredAt: 'b1' }, []],
        ['by the text of a column', { answer: 'b1' }, []],
        ['by time and answer', { from: 2 * day, answer: 'ada@shop.example' }, ['r3']],
      ])('gives those %s', async (_name, filter, ids) => {
        expect(await asked(filter)).toEqual(ids)
        expect(await asked(filter, 1)).toEqual(ids)
      })

      it('finds one of several choices by the block where they were made', async () => {
        const store = await open(setup)
        await store.update(answered('r1', 'Tea, Milk', 'Water'))
        await store.update(answered('r2', 'Water', 'Milk'))
        for (const [filter, ids] of [
          [{ answer: 'milk', answeredAt: 'b0' }, ['r1']],
          [{ answer: 'milk', answeredAt: 'b1' }, ['r2']],
          [{ answer: 'mil', answeredAt: 'b0' }, []],
          [{ answer: 'tea, milk', answeredAt: 'b0' }, ['r1']],
          [{ answer: 'tea' }, []],
        ] as const)
          expect(await pagesOf(store, 'flow-1', 9, filter)).toEqual([ids])
      })

      it('finds every answer of a result, also those of later turns', async () => {
        const store = await open(setup)
        await store.update(answered('r1', 'one', 'two'))
        await store.update(answered('r1', 'three'))
        await store.update(answered('r2', 'four'))
        for (const answer of ['one', 'two', 'three'])
          expect(await pagesOf(store, 'flow-1', 9, { answer })).toEqual([['r1']])
      })

      it('follows the creation, not the last change', async () => {
        const store = await ofDays()
        await store.update({ ...answered('r1', 'late'), now: 9 * day })
        expect((await pagesOf(store, 'flow-1', 9, { from: 5 * day })).flat()).toEqual(['r5'])
      })

      it('gives them whole', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        const filter = { from: now, until: now + 1, answer: 'zoë' }
        expect(await store.list('flow-1', { limit: 1, filter })).toStrictEqual({ results: [wholeResult] })
      })

      it('reads a bounded number at a time, and leaves none out', async () => {
        const store = await open(setup)
        await store.update(answered('first', 'rare'))
        // No more at once than a pool has connections: a busy machine keeps what waits for one too long.
        for (let chunk = 0; chunk < 420; chunk++) {
          const ids = Array.from({ length: 5 }, (_, index) => `r${chunk * 5 + index}`)
          await Promise.all(ids.map((id) => store.update(answered(id, 'rarely'))))
        }
        await store.update(answered('last', 'rare'))
        const pages = await pagesOf(store, 'flow-1', 50, { answer: 'rare' })
        expect(pages.length).toBeGreaterThan(1)
        expect(pages.flat()).toEqual(['last', 'first'])
      })
    })

    describe('asking by how far conversations have come', () => {
      const hour = 3_600_000
      /** Bits of the first places that there are, as a path is written. */
      const path = (...indexes: number[]) => {
        const built = new Path()
        for (const index of indexes) built.add(index)
        return built.toString()
      }
      const visits: Record<string, ResultVisit> = {
        r1: { version: 'v1', path: path(0, 3, 4), cohort: '', place: 'b2', askedAt: hour },
        r2: { version: 'v1', path: path(0, 1, 3, 9), cohort: '[["locale","fr"]]', place: 'b3', askedAt: 0 },
        r3: {
          version: 'v2',
          path: path(3),
          cohort: '[["locale","de"],["channel","a"]]',
          place: 'b2',
          askedAt: 0,
        },
        r4: {
          version: 'v2',
          path: path(0, 4, 200),
          cohort: '[["channel","b"]]',
          place: 'f\nb2',
          askedAt: 9 * hour,
        },
      }
      const ofVisits = async () => {
        const store = await open(setup)
        await store.update(creating('r0'))
        for (const [id, visit] of Object.entries(visits)) await store.update({ ...creating(id), visit })
        return store
      }
      const through = (versions: string[], indexes: number[], without: number[] = []) => ({
        paths: [{ versions, through: indexes, without }],
      })

      it('gives them back as the last turn that knew left them', async () => {
        const store = await ofVisits()
        await store.update(creating('r2'))
        expect(await store.get('flow-1', 'r2')).toMatchObject({ visit: visits['r2'] })
        const visit = { ...(visits['r1'] as ResultVisit), path: path(0, 3, 4, 5), askedAt: 0, place: '🙂"\\' }
        await store.update({ ...creating('r1'), visit })
        expect(await store.get('flow-1', 'r1')).toMatchObject({ visit })
        const { results } = await store.list('flow-1', { limit: 9 })
        expect(results.map(({ visit }) => visit)).toEqual([
          visits['r4'],
          visits['r3'],
          visits['r2'],
          visit,
          undefined,
        ])
      })

      it.each<[string, ResultFilter, string[]]>([
        ['through no place in particular', through(['v1', 'v2'], []), ['r4', 'r3', 'r2', 'r1']],
        ['of a version', through(['v2'], []), ['r4', 'r3']],
        ['through a place', through(['v1', 'v2'], [3]), ['r3', 'r2', 'r1']],
        ['through several', through(['v1', 'v2'], [3, 0]), ['r2', 'r1']],
        ['through one far away', through(['v1', 'v2'], [200]), ['r4']],
        ['through one that no path reaches', through(['v1', 'v2'], [4000]), []],
        ['not through a place', through(['v1', 'v2'], [3], [0]), ['r3']],
        ['not through one far away', through(['v2'], [], [200]), ['r3']],
        [
          'through places that versions have elsewhere',
          { paths: [...through(['v1'], [9]).paths, ...through(['v2'], [4]).paths] },
          ['r4', 'r2'],
        ],
        ['of no path at all', { paths: [] }, []],
        ['that began in a language', { cohort: ['["locale","fr"]'] }, ['r2']],
        ['of two parts of a cohort', { cohort: ['["channel","a"]', '["locale","de"]'] }, ['r3']],
        ['of a cohort that nobody is in', { cohort: ['["locale","%"]'] }, []],
        ['at a place', { place: 'b2' }, ['r3', 'r1']],
        ['at a place of a linked flow', { place: 'f\nb2' }, ['r4']],
        ['that left there', { place: 'b2', waiting: { is: false, since: 2 * hour } }, ['r3', 'r1']],
        ['that wait there', { place: 'b2', waiting: { is: true, since: hour } }, ['r1']],
        ['that wait', { waiting: { is: true, since: 2 * hour } }, ['r4']],
        ['of a time', { ...through(['v1'], [0]), until: 0 }, []],
        ['of a thousand layouts', { paths: manyPaths(3) }, ['r3', 'r2', 'r1']],
      ])('finds those %s', async (_name, filter, ids) => {
        const store = await ofVisits()
        expect((await pagesOf(store, 'flow-1', 10, filter)).flat()).toEqual(ids)
        expect((await pagesOf(store, 'flow-1', 1, filter)).flat()).toEqual(ids)
        expect((await store.listNames('flow-1', { filter })).names.map(({ id }) => id)).toEqual(ids)
        expect(await countOf(store, filter)).toEqual([ids.length, 1])
      })

      it('begins with the earliest where that is asked for, and goes on behind it', async () => {
        const store = await ofVisits()
        const page = { limit: 2, order: 'earliest' as const }
        const first = await store.list('flow-1', page)
        expect(idsOf(first)).toEqual(['r0', 'r1'])
        const next = await store.list('flow-1', { ...page, cursor: first.nextCursor })
        expect(idsOf(next)).toEqual(['r2', 'r3'])
        const last = await store.list('flow-1', { ...page, cursor: next.nextCursor })
        expect([idsOf(last), last.nextCursor]).toEqual([['r4'], undefined])
        const filter = through(['v1'], [])
        expect(idsOf(await store.list('flow-1', { ...page, filter }))).toEqual(['r1', 'r2'])
        await expect(store.list('flow-1', { limit: 2, cursor: first.nextCursor })).rejects.toMatchObject({
          code: 'BAD_REQUEST',
        })
      })

      it('finds a part of an answer, and of a variable', async () => {
        const store = await ofVisits()
        const variables = [{ id: 'v', name: 'Name', value: ['x', 'The "Lovelace"'] }]
        await store.update({ ...creating('r3'), variables })
        await store.update({ ...creating('r1'), answers: [{ blockId: 'b', content: 'Mrs lovelace' }] })
        expect(await pagesOf(store, 'flow-1', 5, { text: 'LOVE' })).toEqual([['r3', 'r1']])
        expect(await pagesOf(store, 'flow-1', 5, { text: '"love', place: 'b2' })).toEqual([['r3']])
        expect(await pagesOf(store, 'flow-1', 5, { text: 'name' })).toEqual([[]])
      })

      it.each([
        ['in a later change', 'said later', 'Said LATER'],
        ['with the signs of patterns', '50%_\\"', 'for 50%_\\" off'],
        ['with line ends', 'a\n\tb', 'A\n\tB'],
        ['of other letters', 'größe привет', 'Größe ПРИВЕТ'],
        ['with letters whose small ones are of ASCII', '5 k i', '5 \u212a \u0130'],
        ['of one letter', 'k', '\u212a'],
      ])('finds a text %s', async (_name, text, content) => {
        const store = await ofVisits()
        await store.update({ ...creating('r1'), answers: [{ blockId: 'b', content: 'earlier' }] })
        await store.update({ ...creating('r1'), answers: [{ blockId: 'b', content }] })
        expect((await pagesOf(store, 'flow-1', 5, { text })).flat()).toEqual(['r1'])
        expect((await pagesOf(store, 'flow-1', 5, { answer: ` ${content} ` })).flat()).toEqual(['r1'])
      })

      it('finds a text of which a marked value is a part, and for whom that is hidden none', async () => {
        const store = await ofVisits()
        const masked: MaskedValue[] = [
          { name: 'Email', text: 'ada@shop.example', sensitivity: 'personal', mark: '[Email]' },
        ]
        await store.update({ ...creating('r1'), answers: [{ blockId: 'b', content: 'To [Email]!' }], masked })
        const find = async (filter: ResultFilter) => (await pagesOf(store, 'flow-1', 5, filter)).flat()
        expect(await find({ text: 'to ada@' })).toEqual(['r1'])
        expect(await find({ answer: 'to ada@shop.example!' })).toEqual(['r1'])
        expect(await find({ answer: 'to ada@shop.example!', hidesMasked: true })).toEqual(['r1'])
        for (const text of ['to ada@', 'ada@shop'])
          expect(await find({ text, hidesMasked: true })).toEqual([])
        expect(await find({ text: 'to [email]', hidesMasked: true })).toEqual(['r1'])
      })

      it('finds nothing of a result that was erased', async () => {
        const store = await ofVisits()
        await store.delete('flow-1', ['r1', 'r3'])
        expect((await pagesOf(store, 'flow-1', 5, { place: 'b2' })).flat()).toEqual([])
      })
    })

    describe('counting', () => {
      it('tells how many a filter asks for, of this flow and those that are not erased', async () => {
        const store = await holding(setup, 'r1', 'r2', 'r3')
        await store.update(creating('r1', 'flow-2'))
        await store.update({ ...wholeUpdate, id: 'r4', now: now + 1 })
        await store.delete('flow-1', ['r2'])
        const counts = async (filter?: ResultFilter) => (await countOf(store, filter))[0]
        expect(await counts()).toBe(3)
        expect(await counts({})).toBe(3)
        expect(await counts({ until: now + 1 })).toBe(2)
        expect(await counts({ from: now + 1, until: now + 2 })).toBe(1)
        expect(await counts({ answer: 'zoë' })).toBe(1)
        expect(await counts({ text: 'agai', until: now + 1 })).toBe(0)
        await expect(store.count('flow-1', { cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
        expect(await store.count('flow-3', {})).toEqual({ count: 0 })
      })

      it('goes through a bounded number at a time, and leaves none out', async () => {
        const store = await open(setup)
        const added = Array.from({ length: 20_010 }, (_, nth) => ({ ...creating(`r${nth}`), now: now + nth }))
        await store.add('flow-1', added)
        expect(await countOf(store)).toEqual([20_010, 2])
        expect(await countOf(store, { until: now + 5 })).toEqual([5, 2])
        expect(await countOf(store, { place: 'b1' })).toEqual([0, 2])
      })

      it('ends with the request that goes through the last one', async () => {
        const store = await open(setup)
        await store.add(
          'flow-1',
          Array.from({ length: 20_000 }, (_, nth) => creating(`r${nth}`)),
        )
        const { count, nextCursor } = await store.count('flow-1', {})
        expect(count).toBe(20_000)
        if (nextCursor !== undefined)
          expect(await store.count('flow-1', { cursor: nextCursor })).toEqual({ count: 0 })
      })
    })

    describe('erasing', () => {
      it('returns what was there, and leaves nothing of it', async () => {
        const store = await open(setup)
        await store.update(wholeUpdate)
        expect(await store.delete('flow-1', ['r1'])).toStrictEqual([{ id: 'r1', lastChatSessionId: 's1' }])
        expect(await store.get('flow-1', 'r1')).toBeUndefined()
        expect(await store.list('flow-1', { limit: 10 })).toStrictEqual({ results: [] })
        expect(await store.delete('flow-1', ['r1'])).toEqual([])
      })

      it('is not undone by a turn that is still under way', async () => {
        const store = await holding(setup, 'r1', 'r2')
        await store.delete('flow-1', ['r1'])
        for (let turn = 0; turn < 3; turn++) expect(await store.update(wholeUpdate)).toBe(false)
        expect(await store.get('flow-1', 'r1')).toBeUndefined()
        expect(await pagesOf(store, 'flow-1', 10)).toEqual([['r2']])
        expect(await store.delete('flow-1', ['r1'])).toEqual([])
      })

      it('holds for a result that was not there yet', async () => {
        const store = await open(setup)
        expect(await store.delete('flow-1', ['r1'])).toEqual([])
        expect(await store.update(creating('r1'))).toBe(false)
      })

      it('takes many at once, each with the session that it had last', async () => {
        const store = await holding(setup, 'r1', 'r2', 'r3', 'r4')
        await store.update({ ...wholeUpdate, id: 'r2', lastChatSessionId: 'a "quoted" \\ one' })
        await store.update({
          id: 'r3',
          flowId: 'flow-1',
          now,
          transcript: [{ role: 'user', text: 'null,"s9"' }],
        })
        const erased = await store.delete('flow-1', ['r3', 'r1', 'no', 'r2'])
        expect(sessionsOf(erased)).toEqual({ r1: 's1', r2: 'a "quoted" \\ one', r3: 's1' })
        expect(await pagesOf(store, 'flow-1', 10)).toEqual([['r4']])
        for (const id of ['r1', 'r2', 'r3', 'no']) expect(await store.update(creating(id))).toBe(false)
        expect(await store.usage()).toMatchObject({ entries: 1 })
      })

      it('begins with their names, page by page, past those that come and go', async () => {
        const store = await open(setup)
        const ids = Array.from({ length: 600 }, (_, number) => `r${number}`)
        await Promise.all(ids.map((id) => store.update({ ...creating(id), lastChatSessionId: `s of ${id}` })))
        const listed: ResultName[] = []
        let cursor: string | undefined
        do {
          const page = await store.listNames('flow-1', { cursor })
          listed.push(...page.names)
          cursor = page.nextCursor
          await store.delete(
            'flow-1',
            page.names.map(({ id }) => id),
          )
          await store.update(creating(`later ${listed.length}`))
        } while (cursor !== undefined)
        expect(sessionsOf(listed)).toEqual(Object.fromEntries(ids.map((id) => [id, `s of ${id}`])))
      })

      it('finds the names of those that a filter asks for', async () => {
        const store = await open(setup)
        for (const at of [1, 2, 3, 4])
          await store.update({
            ...wholeUpdate,
            id: `r${at}`,
            now: at,
            answers: [{ blockId: 'b', content: `${at % 2}` }],
          })
        const namesOf = async (filter: ResultFilter) =>
          (await store.listNames('flow-1', { filter })).names.map(({ id }) => id)
        expect(await namesOf({ from: 2, until: 4 })).toEqual(['r3', 'r2'])
        expect(await namesOf({ from: 2, answer: '1' })).toEqual(['r3'])
        await expect(store.listNames('flow-1', { cursor: 'x' })).rejects.toMatchObject({
          code: 'BAD_REQUEST',
        })
      })

      it('is none of the business of a result with the same id in another flow', async () => {
        const store = await holding(setup, 'r1')
        await store.delete('flow-1', ['r1'])
        expect(await store.update(creating('r1', 'flow-2'))).toBe(true)
        expect(await store.get('flow-2', 'r1')).toBeDefined()
      })
    })
  })
}

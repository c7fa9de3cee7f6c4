import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/lib/errors.ts'
import { sessionHash } from '../../src/lib/session-hash.ts'
import type { ResultsDependencies } from '../../src/results/results-dependencies.ts'
import { Results } from '../../src/results/results-service.ts'
import { bubble, rememberingFlow, textInput, variable } from '../fixtures/short-flows.ts'
import { createWatchedChat, earlierResult, keepResult, startLive } from '../fixtures/starting.ts'
import { fixedNow } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { createTestChat, holdSession, sessionOf } from '../support/start.ts'

const flow = rememberingFlow({
  publicId: 'welcome',
  blocks: [bubble('b0', 'Who?'), textInput('b1', 'vName'), textInput('b2')],
  variables: [variable('Name'), variable('Code', { isSessionVariable: true, value: 'x' })],
})

const ask = { publicId: 'welcome' }
const operator = { actor: 'ann' }
const all = { ...ask, ...operator, signal: new AbortController().signal }
const page = { ...ask, limit: 50, cursor: undefined }

/** A chat in which flows are published, and the results of it as their operator sees them. */
function setup(definitions: readonly Json[] = [flow], more: Partial<ResultsDependencies> = {}) {
  const chat = createWatchedChat(definitions)
  const erased: string[] = []
  const eraseFiles = async (ids: readonly string[]) => void erased.push(...ids)
  const results = new Results({ ...chat, eraseFiles, ...more })
  return { chat, results, erased }
}

const idsOf = async (results: Results) => (await results.list(page)).results.map(({ id }) => id)

const start = (chat: Parameters<typeof startLive>[0], body: Json = {}) =>
  startLive(chat, body, { publicId: 'welcome' })

describe('the results of a flow', () => {
  it('are those of its visitors, the latest first, without the ids of their sessions', async () => {
    const { chat, results } = setup()
    await start(chat)
    await start(chat, { message: 'Ada' })
    const { results: listed, ...rest } = await results.list(page)
    expect(rest).toEqual({})
    expect(listed).toHaveLength(2)
    expect(listed[0]).toMatchObject({
      id: 'result-2',
      flowId: 'flow-1',
      createdAt: '2026-11-21T09:17:01.712Z',
      updatedAt: '2026-11-21T09:17:01.712Z',
      hasStarted: false,
      isCompleted: false,
    })
    expect(listed[1]?.id).toBe('result-1')
    expect(JSON.stringify(listed)).not.toContain('session-')
  })

  it('are found by the block where they wait, of a linked flow or of the flow itself', async () => {
    const { chat, results } = setup()
    await start(chat)
    const foundAt = async (selection: Json) => {
      const { results: found } = await results.list({ ...page, selection: selection as never })
      return found.length
    }
    expect(await foundAt({ waitingAt: 'b1' })).toBe(1)
    expect(await foundAt({ waitingAt: 'b1', atFlow: 'flow-1' })).toBe(1)
    expect(await foundAt({ waitingAt: 'b1', atFlow: 'flow-2' })).toBe(0)
  })

  it('show what a result holds, whole', async () => {
    const { chat, results } = setup()
    const kept = {
      answers: [{ blockId: 'b1', content: 'Ada', attachedFileUrls: ['https://a.example/1'] }],
      transcript: [{ role: 'user' as const, text: 'Ada' }],
      logs: [{ status: 'info' as const, description: 'Sent', blockId: 'b1', time: 2000 }],
    }
    const variables = [{ id: 'vName', name: 'Name', value: 'Ada' }]
    await keepResult(chat.results, earlierResult({ ...kept, variables, hasStarted: true, isCompleted: true }))
    expect(await results.get({ ...ask, resultId: 'earlier' })).toStrictEqual({
      id: 'earlier',
      flowId: 'flow-1',
      conversation: sessionHash('session-0'),
      createdAt: '1970-01-01T00:00:01.000Z',
      updatedAt: '1970-01-01T00:00:02.000Z',
      variables: [{ name: 'Name', value: 'Ada' }],
      ...kept,
      logs: [{ ...kept.logs[0], time: '1970-01-01T00:00:02.000Z' }],
      hasStarted: true,
      isCompleted: true,
    })
  })

  it('come in pages', async () => {
    const { chat, results } = setup()
    for (let count = 0; count < 3; count++) await start(chat)
    const first = await results.list({ ...page, limit: 2 })
    expect(first.results.map(({ id }) => id)).toEqual(['result-3', 'result-2'])
    const second = await results.list({ ...page, limit: 2, cursor: first.nextCursor })
    expect(second.results.map(({ id }) => id)).toEqual(['result-1'])
    expect(second).not.toHaveProperty('nextCursor')
  })

  it('are read few at once, whoever reads them, and one for all exports', async () => {
    const { chat, results: seed } = setup()
    await start(chat)
    let [reading, most, waiting] = [0, 0, 0]
    const within = async <T>(work: () => Promise<T>) => {
      reading += 1
      most = Math.max(most, reading)
      await new Promise(setImmediate)
      return work().finally(() => (reading -= 1))
    }
    const { results: store } = chat
    const list: typeof store.list = (flowId, asked) => within(() => store.list(flowId, asked))
    const count: typeof store.count = (flowId, asked) => within(() => store.count(flowId, asked))
    const turns: number[] = []
    const nextTurn = async () => {
      waiting += 1
      turns.push(waiting)
      await new Promise(setImmediate)
      waiting -= 1
    }
    const results = new Results({
      ...chat,
      results: Object.assign(Object.create(store), { list, count }),
      ports: { ...chat.ports, nextTurn },
    })
    const exportAll = async () => {
      const { pieces } = await results.export({ ...ask, ...operator, format: 'ndjson' })
      const texts: unknown[] = []
      for await (const piece of pieces) texts.push(piece)
      return texts
    }
    const many = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 40 }, work))
    await many(exportAll)
    expect([most, Math.max(...turns)]).toEqual([1, 1])
    await Promise.all([many(exportAll), many(() => results.list(page)), many(() => results.count(all))])
    expect([most, Math.max(...turns)]).toEqual([2, 2])
    expect(await exportAll()).toHaveLength(1)
    expect(await idsOf(results)).toEqual(await idsOf(seed))
  })

  it('are exported to one reader while another reads nothing more of a long export', async () => {
    const { chat, results } = setup()
    for (let nth = 0; nth < 401; nth++) await keepResult(chat.results, earlierResult({ id: `r${nth}` }))
    const begin = async () => {
      const { pieces } = await results.export({ ...ask, ...operator, format: 'ndjson' })
      return pieces[Symbol.asyncIterator]()
    }
    const lengthOf = (piece: unknown) => String(piece).split('\n').length - 1
    const slow = await begin()
    const lengths = [lengthOf((await slow.next()).value)]
    const other = await begin()
    for (const length of [200, 200, 1]) expect(lengthOf((await other.next()).value)).toBe(length)
    expect((await other.next()).done).toBe(true)
    for (let nth = 0; nth < 2; nth++) lengths.push(lengthOf((await slow.next()).value))
    expect(lengths).toEqual([200, 200, 1])
  })

  it('come as a table, in the same pages', async () => {
    const { chat, results } = setup()
    await start(chat)
    const answers = [{ blockId: 'b1', content: '=1+1' }]
    await keepResult(chat.results, earlierResult({ answers, hasStarted: true }))
    const first = await results.table({ ...page, ...operator, limit: 1 })
    const headers = '\uFEFFid,createdAt,hasStarted,isCompleted,Name,Group 1\r\n'
    expect(first.csv).toBe(`${headers}earlier,1970-01-01T00:00:01.000Z,true,false,'=1+1,\r\n`)
    const second = await results.table({ ...page, ...operator, limit: 1, cursor: first.nextCursor })
    const noted = { actor: 'ann', action: 'export', subject: 'welcome', detail: 'results as csv: all' }
    expect(chat.audit).toEqual([noted])
    expect(second).toEqual({ csv: `${headers}result-1,2026-11-21T09:17:01.712Z,false,false,,\r\n` })
  })

  it.each(['list', 'table'] as const)('refuse a cursor that no page gave: %s', async (way) => {
    const { results } = setup()
    await expect(results[way]({ ...page, ...operator, cursor: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
})

describe('which flow is meant', () => {
  const other = rememberingFlow({ id: 'flow-2', publicId: 'other', blocks: [textInput('b1')] })
  const listed = async (publicId: string, definitions: readonly Json[]) => {
    const { chat, results } = setup(definitions)
    await keepResult(chat.results, earlierResult({ id: 'of-1' }))
    await keepResult(chat.results, earlierResult({ id: 'of-2', flowId: 'flow-2' }))
    return (await results.list({ ...page, publicId })).results.map(({ id }) => id)
  }

  it.each([
    ['by its public id', 'welcome', [flow, other], ['of-1']],
    ['by its own id', 'flow-2', [flow, other], ['of-2']],
    ['by its own id when it is not published any more', 'flow-1', [other], ['of-1']],
    ['by its public id when it is archived', 'welcome', [{ ...flow, isArchived: true }], ['of-1']],
    ['by its public id when it is closed', 'welcome', [{ ...flow, isClosed: true }], ['of-1']],
  ])('is told %s', async (_name, publicId, definitions, ids) => {
    expect(await listed(publicId, definitions)).toEqual(ids)
  })

  it('is named by a public id rather than by an id', async () => {
    const namesake = { ...other, publicId: 'flow-1' }
    expect(await listed('flow-1', [flow, namesake])).toEqual(['of-2'])
  })

  it('is unknown when it is not published and has no results', async () => {
    await expect(listed('unknown', [flow])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Flow not found',
    })
  })

  it('may have no results as long as it is published', async () => {
    const { results } = setup()
    expect(await results.list(page)).toEqual({ results: [] })
    expect(await results.deleteAll(all)).toBe(0)
  })
})

describe('a result that is not there', () => {
  it.each(['get', 'delete'] as const)('is told: %s', async (way) => {
    const { chat, results } = setup()
    await keepResult(chat.results, earlierResult({ flowId: 'flow-2' }))
    const call = results[way]({ ...ask, ...operator, resultId: 'earlier' })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Result not found.' })
    expect(await chat.results.get('flow-2', 'earlier')).toBeDefined()
  })
})

describe('erasing a result', () => {
  it("takes its session and its files with it, and nobody else's", async () => {
    const { chat, results, erased } = setup()
    await start(chat)
    await start(chat)
    await results.delete({ ...ask, ...operator, resultId: 'result-1' })
    expect(await chat.results.get('flow-1', 'result-1')).toBeUndefined()
    expect(await sessionOf(chat, 'session-1')).toBeUndefined()
    expect(await sessionOf(chat, 'session-2')).toBeDefined()
    expect(erased).toEqual(['result-1'])
    const left = await results.list(page)
    expect(left.results.map(({ id }) => id)).toEqual(['result-2'])
  })

  it('waits for the turn that its session is in, and lets no other one follow', async () => {
    const { chat, results } = setup()
    await start(chat)
    const events: string[] = []
    const release = await holdSession(chat, 'session-1')
    const erasure = results
      .delete({ ...ask, ...operator, resultId: 'result-1' })
      .then(() => events.push('erased'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    const late = chat.conversations.enter({ id: 'session-1' })
    expect(events).toEqual([])
    await release()
    await erasure
    expect(await late).toEqual({ state: 'not found' })
    expect(await sessionOf(chat, 'session-1')).toBeUndefined()
  })

  it('takes the session of a visitor who comes back meanwhile, too', async () => {
    const { chat, results } = setup()
    await start(chat)
    let hasComeBack = false
    const conversations = {
      ...chat.conversations,
      async erase(id: string) {
        await chat.conversations.erase(id)
        if (!hasComeBack) await start(chat, { resultId: 'result-1' })
        hasComeBack = true
      },
    }
    const erasing = new Results({ ...chat, conversations })
    await erasing.delete({ ...ask, ...operator, resultId: 'result-1' })
    expect(hasComeBack).toBe(true)
    expect(await sessionOf(chat, 'session-2')).toBeUndefined()
    await expect(results.get({ ...ask, resultId: 'result-1' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('erases nothing when its session is too busy, so that it can be tried again', async () => {
    const busy = new ServiceError('TOO_MANY_REQUESTS', 'busy')
    const { chat, erased } = setup()
    await start(chat)
    const conversations = { ...chat.conversations, erase: () => Promise.reject(busy) }
    const eraseFiles = async (ids: readonly string[]) => void erased.push(...ids)
    const results = new Results({ ...chat, conversations, eraseFiles })
    await expect(results.delete({ ...ask, ...operator, resultId: 'result-1' })).rejects.toBe(busy)
    expect(await chat.results.get('flow-1', 'result-1')).toBeDefined()
    expect(erased).toEqual([])
  })

  it('can be done again when its files could not be erased', async () => {
    const { chat } = setup()
    await start(chat)
    const failures = [new Error('busy disk')]
    const erased: string[] = []
    const eraseFiles = async (ids: readonly string[]) => {
      const failure = failures.pop()
      if (failure) throw failure
      erased.push(...ids)
    }
    const results = new Results({ ...chat, eraseFiles })
    const request = { ...ask, ...operator, resultId: 'result-1' }
    await expect(results.delete(request)).rejects.toThrow('busy disk')
    expect(await results.get(request)).toMatchObject({ id: 'result-1' })
    await results.delete(request)
    expect(erased).toEqual(['result-1'])
    await expect(results.get(request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('does without files where nothing is uploaded', async () => {
    const { chat } = setup()
    await start(chat)
    const results = new Results({ ...chat })
    await results.delete({ ...ask, ...operator, resultId: 'result-1' })
    expect(await chat.results.get('flow-1', 'result-1')).toBeUndefined()
  })
})

describe('erasing all results of a flow', () => {
  it('leaves nothing of them, and those of other flows alone', async () => {
    const { chat, results, erased } = setup()
    const count = 230
    for (let number = 0; number < count; number++) await start(chat)
    await keepResult(chat.results, earlierResult({ flowId: 'flow-2', lastChatSessionId: 'other' }))
    expect(await results.deleteAll(all)).toBe(count)
    expect(await results.list(page)).toEqual({ results: [] })
    expect(await sessionOf(chat, 'session-1')).toBeUndefined()
    expect(await sessionOf(chat, `session-${count}`)).toBeUndefined()
    expect(await chat.results.get('flow-2', 'earlier')).toBeDefined()
    expect(new Set(erased).size).toBe(count)
  })

  it('lets others have their turn in between', async () => {
    let turns = 0
    const nextTurn = async () => void turns++
    const { chat, results } = setup([flow], { ports: { nextTurn, now: () => 0 } })
    for (let number = 0; number < 501; number++) await start(chat)
    await results.deleteAll(all)
    expect(turns).toBe(2)
  })

  it('can be gone on with after a session that was too busy', async () => {
    const { chat, results } = setup()
    for (let number = 0; number < 3; number++) await start(chat)
    const conversations: typeof chat.conversations = {
      ...chat.conversations,
      eraseIdle: async (ids) => [
        'session-2',
        ...(await chat.conversations.eraseIdle(ids.filter((id) => id !== 'session-2'))),
      ],
      erase: (id) =>
        id === 'session-2'
          ? Promise.reject(new ServiceError('TOO_MANY_REQUESTS', 'busy'))
          : chat.conversations.erase(id),
    }
    const hindered = new Results({ ...chat, conversations })
    await expect(hindered.deleteAll(all)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'busy (2 results were erased, and the call can be made again)',
    })
    expect((await results.list(page)).results.map(({ id }) => id)).toEqual(['result-2'])
    expect(await results.deleteAll(all)).toBe(1)
    expect(await results.list(page)).toEqual({ results: [] })
  })

  it('waits for the turns that are under way, and for no others', async () => {
    const { chat, results } = setup()
    for (let number = 0; number < 3; number++) await start(chat)
    const release = await holdSession(chat, 'session-2')
    const erasing = results.deleteAll(all)
    await expect.poll(() => idsOf(results)).toEqual(['result-2'])
    await release()
    expect(await erasing).toBe(3)
    expect(await results.list(page)).toEqual({ results: [] })
    expect(await sessionOf(chat, 'session-2')).toBeUndefined()
  })

  it('does one by one what can not be done together', async () => {
    const { chat } = setup()
    for (let number = 0; number < 3; number++) await start(chat)
    const eraseFiles = async (ids: readonly string[]) => {
      if (ids.includes('result-2')) throw new Error('a file is in use')
    }
    const results = new Results({ ...chat, eraseFiles })
    await expect(results.deleteAll(all)).rejects.toThrow('a file is in use')
    expect(await idsOf(results)).toEqual(['result-2'])
    expect(chat.erasures).toMatchObject([{ deleted: 2 }])
  })

  it('takes the sessions of those who come back meanwhile, too', async () => {
    const { chat } = setup()
    await start(chat)
    const eraseFiles = async () => void (await start(chat, { resultId: 'result-1' }))
    const results = new Results({ ...chat, eraseFiles })
    expect(await results.deleteAll(all)).toBe(1)
    expect(await sessionOf(chat, 'session-2')).toBeUndefined()
    expect(await results.list(page)).toEqual({ results: [] })
  })

  it('takes those of a filter alone, and notes how many, by whom and how, and not whom', async () => {
    const { chat, results } = setup()
    for (const [index, content] of ['Ada', 'bob', 'ADA'].entries())
      await keepResult(
        chat.results,
        earlierResult({
          id: `r${index}`,
          answers: [{ blockId: 'b1', content }],
          lastChatSessionId: `s${index}`,
        }),
      )
    const selection = { until: 9_000_000_000_000, answer: 'ada' }
    expect(await results.deleteAll({ ...all, selection })).toBe(2)
    expect((await results.list(page)).results.map(({ id }) => id)).toEqual(['r1'])
    await results.delete({ ...ask, ...operator, resultId: 'r1' })
    expect(chat.erasures).toEqual([
      { ...ask, ...operator, deleted: 2, by: selection },
      { ...ask, ...operator, deleted: 1, by: 'id' },
    ])
  })

  it('erases none where more match than somebody has confirmed, and says how many', async () => {
    const { chat, results } = setup()
    for (let number = 0; number < 3; number++) await start(chat)
    expect(await results.count(all)).toBe(3)
    await expect(results.deleteAll({ ...all, confirmed: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '3 results match now, more than the 2 that were confirmed: none is erased',
    })
    expect(await idsOf(results)).toHaveLength(3)
    expect(chat.erasures).toEqual([])
    expect(await results.deleteAll({ ...all, confirmed: 3 })).toBe(3)
  })

  it('erases as many as were confirmed where others come to match while they are counted', async () => {
    const { chat } = setup()
    for (let number = 0; number < 2; number++) await start(chat)
    const nextTurn = async () => void (await start(chat))
    const results = new Results({ ...chat, ports: { nextTurn, now: () => fixedNow } })
    expect(await results.deleteAll({ ...all, confirmed: 2 })).toBe(2)
    expect((await results.list(page)).results.length).toBeGreaterThan(0)
  })

  it('counts those of a filter, step by step, until its caller has gone', async () => {
    const { chat, results } = setup()
    for (const id of ['r1', 'r2'])
      await keepResult(chat.results, earlierResult({ id, answers: [{ blockId: 'b1', content: id }] }))
    expect(await results.count({ ...all, selection: { answer: 'R2' } })).toBe(1)
    let steps = 0
    const caller = new AbortController()
    const count = async () => {
      steps += 1
      if (steps === 3) caller.abort()
      return { count: 1, nextCursor: 'x' }
    }
    const endless = new Results({ ...chat, results: { ...chat.results, count } })
    await endless.count({ ...all, signal: caller.signal })
    expect(steps).toBe(3)
  })

  it('ends when its caller has gone, and notes what was erased', async () => {
    const { chat } = setup()
    for (let number = 0; number < 1001; number++) await start(chat)
    const caller = new AbortController()
    const eraseFiles = async () => caller.abort()
    const results = new Results({ ...chat, eraseFiles })
    const deleted = await results.deleteAll({ ...all, signal: caller.signal })
    // Two batches are under way at once, so that a second one may have begun.
    expect([500, 1000]).toContain(deleted)
    expect(chat.erasures).toMatchObject([{ deleted }])
  })

  it('ends with those that there were when it began', async () => {
    const { chat } = setup()
    await start(chat)
    const eraseFiles = async () => void (await start(chat))
    const results = new Results({ ...chat, eraseFiles })
    expect(await results.deleteAll(all)).toBe(1)
    expect((await results.list(page)).results.map(({ id }) => id)).toEqual(['result-2'])
  })

  it('goes on from page to page, past those who come meanwhile', async () => {
    const { chat } = setup()
    for (let number = 0; number < 1100; number++) await start(chat)
    const eraseFiles = async () => void (await start(chat))
    const results = new Results({ ...chat, eraseFiles })
    expect(await results.deleteAll(all)).toBe(1100)
    expect(await idsOf(results)).toEqual(['result-1103', 'result-1102', 'result-1101'])
  })

  it('ends when a result can never be erased', async () => {
    const { chat } = setup()
    for (let number = 0; number < 101; number++) await start(chat)
    const eraseFiles = async () => Promise.reject(new Error('broken disk'))
    const results = new Results({ ...chat, eraseFiles })
    await expect(results.deleteAll(all)).rejects.toThrow('broken disk')
  })
})

it('lists results of one moment in the order in which they were made', async () => {
  const chat = createTestChat([flow])
  const results = new Results({ ...chat })
  for (const id of ['b', 'a', 'c']) chat.results.apply([{ id, flowId: 'flow-1', now: fixedNow }])
  expect((await results.list(page)).results.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

it('are asked for by time and by answer, page by page', async () => {
  const { chat, results } = setup()
  for (const [index, content] of ['Ada', 'bob', 'ADA', 'ada'].entries())
    await keepResult(
      chat.results,
      earlierResult({ id: `r${index}`, answers: [{ blockId: 'b1', content }], createdAt: index }),
    )
  const request = { ...page, limit: 1, selection: { until: 3, answer: 'ada' } }
  const first = await results.list(request)
  expect(first.results.map(({ id }) => id)).toEqual(['r2'])
  const next = await results.table({ ...request, ...operator, cursor: first.nextCursor })
  expect(next.csv).toContain('r0')
  expect(next.csv).not.toContain('r1')
})

import { describe, expect, it } from 'vitest'
import type { ResultImportBody } from '../../schemas/result-import.ts'
import { Results } from '../../src/results/results-service.ts'
import type { ResultUpdate } from '../../src/stores/result-store.ts'
import { bubble, group, rememberingFlow, textInput, variable } from '../fixtures/short-flows.ts'
import { startLive } from '../fixtures/starting.ts'
import type { Json } from '../support/json.ts'
import { createTestChat, type TestChat } from '../support/start.ts'

const flow = rememberingFlow({
  publicId: 'welcome',
  groups: [group('g1', bubble('b0', 'Who?'), textInput('b1', 'vName'), textInput('b2'), textInput('b3'))],
  variables: [variable('Name'), variable('Score'), variable('Code', { isSessionVariable: true, value: 'x' })],
})

const ask = { publicId: 'welcome', actor: 'ann' }
const page = { publicId: 'welcome', limit: 50, cursor: undefined }
const at = '2025-06-03T14:15:00.000Z'

const row = (key: string, cells: readonly string[], createdAt = at) => ({ key, createdAt, cells: [...cells] })

function setup(definition: Json = flow, keepsResults = true, more: Partial<TestChat> = {}) {
  const chat = { ...createTestChat([definition]), ...more }
  const results = new Results({ ...chat, keepsResults })
  const take = (columns: readonly string[], ...rows: ResultImportBody['rows']) =>
    results.import({ ...ask, table: { columns: [...columns], rows } })
  const kept = async (more: object = {}) => (await results.list({ ...page, ...more })).results
  return { chat, results, take, kept }
}

describe('importing results', () => {
  it('keeps rows by the names of variables and the groups of inputs', async () => {
    const { take, kept, results } = setup()
    const outcome = await take(['Name', 'Score', 'G1', 'G1 (1)'], row('1', ['Ada', '7', 'first', 'second']))
    expect(outcome).toEqual({ imported: 1, known: 0, outlived: 0, unmatched: [] })
    const [result] = await kept()
    expect(result).toMatchObject({
      createdAt: at,
      updatedAt: at,
      hasStarted: true,
      isCompleted: false,
      isImported: true,
      variables: [
        { name: 'Name', value: 'Ada' },
        { name: 'Score', value: '7' },
      ],
      answers: [
        { blockId: 'b1', content: 'Ada' },
        { blockId: 'b2', content: 'first' },
        { blockId: 'b3', content: 'second' },
      ],
    })
    const { csv } = await results.table({ ...page, actor: 'ann' })
    expect(csv).toContain('Ada')
    expect(await kept({ selection: { until: Date.parse(at) } })).toEqual([])
    expect(await kept({ selection: { answer: 'first' } })).toHaveLength(1)
  })

  it('changes nothing for rows that were imported before, or erased since', async () => {
    const { take, kept, results, chat } = setup()
    const rows = [row('1', ['Ada']), row('2', ['Bob'])]
    expect(await take(['Name'], ...rows)).toMatchObject({ imported: 2 })
    const before = await kept()
    expect(await take(['Name'], ...rows)).toMatchObject({ imported: 0, known: 2 })
    expect(await kept()).toEqual(before)
    await results.delete({ ...ask, resultId: before[0]?.id as string })
    expect(await take(['Name'], ...rows)).toMatchObject({ imported: 0, known: 2 })
    expect(await kept()).toHaveLength(1)
    expect(chat.audit.map(({ action, detail }) => [action, detail])).toEqual([['import', '2 results']])
  })

  it('names columns that are nowhere, and refuses a table of nothing else', async () => {
    const { take, kept } = setup()
    const outcome = await take(
      ['Name', 'Gone', 'Code', 'b2', 'b9 (deleted block)'],
      row('1', ['Ada', 'x', 'y', 'by id', 'old']),
    )
    expect(outcome).toMatchObject({ imported: 1, unmatched: ['Gone', 'Code'] })
    expect((await kept())[0]?.answers).toEqual([
      { blockId: 'b1', content: 'Ada' },
      { blockId: 'b2', content: 'by id' },
      { blockId: 'b9', content: 'old' },
    ])
    await expect(take(['Gone'])).rejects.toMatchObject({ problems: [{ pointer: '/columns' }] })
  })

  it.each([
    [row('1', []), '/rows/1/cells'],
    [row('1', ['Ada'], '3 June'), '/rows/1/createdAt'],
    [row('1', ['Ada'], '2025-06-03T14:15:00'), '/rows/1/createdAt'],
    [row('1', ['Ada'], '2999-06-03T14:15:00Z'), '/rows/1/createdAt'],
  ])('keeps nothing of rows of which one is wrong: %j', async (wrong, pointer) => {
    const { take, kept } = setup()
    await expect(take(['Name'], row('0', ['Bob']), wrong)).rejects.toMatchObject({ problems: [{ pointer }] })
    expect(await kept()).toEqual([])
  })

  it('masks what marked variables hold, keeps no secret, and nothing past its time', async () => {
    const { take, kept } = setup({
      ...rememberingFlow({
        publicId: 'welcome',
        blocks: [textInput('b1', 'vName')],
        variables: [
          variable('Name', { sensitivity: 'personal' }),
          variable('Pin', { sensitivity: 'secret' }),
        ],
        settings: { general: { retention: { results: 'P3650D' } } },
      }),
    })
    const outcome = await take(
      ['Name', 'Pin'],
      row('1', ['Ada Byron', '9876']),
      row('2', ['Old', ''], '2001-06-03T14:15:00Z'),
    )
    expect(outcome).toMatchObject({ imported: 1, outlived: 1 })
    expect((await kept())[0]).toMatchObject({ variables: [{ name: 'Name', value: '[Name]' }] })
    expect((await kept({ isUnmasked: true }))[0]?.answers).toEqual([{ blockId: 'b1', content: 'Ada Byron' }])
  })

  /** 13 rows, the latest first, of 100 values each. */
  const large = () => {
    const columns = Array.from({ length: 100 }, (_, index) => `c${index}`)
    const days = Array.from({ length: 13 }, (_, day) => new Date(Date.parse(at) - day * 86_400_000))
    const rows = days.map((day) => row(String(day), [...columns], day.toISOString()))
    const definition = rememberingFlow({
      publicId: 'welcome',
      blocks: [textInput('b1')],
      variables: columns.map((name) => variable(name)),
    })
    return { columns, rows, definition }
  }

  it('keeps a large table piece by piece, in order, and lets others be served in between', async () => {
    const { columns, rows, definition } = large()
    const { results: store, ports, ...chat } = createTestChat([definition])
    const steps: (number | 'others')[] = []
    const results: TestChat['results'] = Object.create(store, {
      add: {
        value: (flowId: string, updates: readonly ResultUpdate[]) => {
          steps.push(updates.length)
          return store.add(flowId, updates)
        },
      },
    })
    const nextTurn = async () => void steps.push('others')
    const { take, kept } = setup(definition, true, { ...chat, results, ports: { ...ports, nextTurn } })
    expect(await take(columns, ...rows)).toMatchObject({ imported: 13 })
    expect(steps).toEqual(['others', 5, 'others', 5, 'others', 3])
    expect((await kept()).map(({ createdAt }) => createdAt)).toEqual(rows.map(({ createdAt }) => createdAt))
  })

  it('notes what it has kept where the store fails in the middle', async () => {
    const { columns, rows, definition } = large()
    const { results: store, ...chat } = createTestChat([definition])
    let calls = 0
    const results: TestChat['results'] = Object.create(store, {
      add: {
        value: (flowId: string, updates: readonly ResultUpdate[]) => {
          calls += 1
          if (calls === 2) throw new Error('the disk is full')
          return store.add(flowId, updates)
        },
      },
    })
    const { take, kept } = setup(definition, true, { ...chat, results })
    await expect(take(columns, ...rows)).rejects.toThrow('the disk is full')
    expect(await kept()).toHaveLength(5)
    expect(chat.audit.map(({ action, detail }) => [action, detail])).toEqual([['import', '5 results']])
  })

  it('lets nobody go on with a result by what its row holds', async () => {
    const { take, kept, chat } = setup()
    await take(['Name'], row('1', ['Ada']))
    const resultId = (await kept())[0]?.id as string
    const started = await startLive(chat, { resultId }, { publicId: 'welcome' })
    expect(started).toMatchObject({ resultId: expect.not.stringContaining('imported') })
  })

  it('refuses where results end with the process', async () => {
    const { take } = setup(flow, false)
    await expect(take(['Name'], row('1', ['Ada']))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is for flows that are published', async () => {
    const { results } = setup()
    const table = { columns: ['Name'], rows: [] }
    await expect(results.import({ publicId: 'nowhere', actor: 'ann', table })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ResultUpdate } from '../../../src/stores/result-store.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import {
  describeWithPostgres,
  execute,
  unstorableId,
  useDatabase,
} from '../../support/postgres/postgres-tests.ts'
import { liveSession } from '../contracts/conversation-store.ts'

const now = 1_795_252_621_712

const answering = (id: string, content: string): ResultUpdate => ({
  id,
  flowId: 'flow-1',
  now,
  answers: [{ blockId: 'b1', content }],
  hasStarted: true,
  lastChatSessionId: 's1',
})

describeWithPostgres('results in PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const { writer, results, open: openStore } = await openPostgresStores(databaseUrl())
    const store = openStore()
    const write = async (...updates: ResultUpdate[]) =>
      store.start({ session: liveSession(randomUUID()), results: updates })
    const contentsOf = async (id: string) =>
      (await results.get('flow-1', id))?.answers.map(({ content }) => content)
    return { store, writer, results, write, contentsOf }
  }

  it('hold the turns that come with one that cannot be written', async () => {
    const { store, contentsOf } = await open()
    const turns = ['t1', unstorableId, 't3'].map(async (id) =>
      store.start({ session: liveSession(id), results: [answering('r1', id)] }),
    )
    const [first, second, third] = await Promise.allSettled(turns)
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await contentsOf('r1')).toEqual(['t1', 't3'])
  })

  it('stay erased, also where the first turn comes after the erasure', async () => {
    const { write, results } = await open()
    await write(answering('r1', 'a'))
    expect(await results.delete('flow-1', ['r1'])).toHaveLength(1)
    expect(await results.delete('flow-1', ['r2'])).toEqual([])
    await write(answering('r1', 'b'), answering('r2', 'c'), answering('r3', 'd'))
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
    expect(await results.get('flow-1', 'r2')).toBeUndefined()
    expect(await results.get('flow-1', 'r3')).toBeDefined()
  })

  it('leave no line of an erased result behind while turns of it are written', async () => {
    const { write, results } = await open()
    const turns = Array.from({ length: 40 }, async (_, number) => {
      await new Promise((resolve) => setTimeout(resolve, number / 4))
      await write(answering('r1', `${number}`))
    })
    await Promise.all([...turns, results.delete('flow-1', ['r1'])])
    await results.delete('flow-1', ['r1'])
    const { rows } = await execute(databaseUrl(), 'SELECT * FROM result_turns')
    expect(rows).toEqual([])
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
  })

  it('keep what was said when they are written anew, and take no logs twice', async () => {
    const { write, writer, results, contentsOf } = await open()
    const logs = [{ status: 'error' as const, description: 'broken' }]
    const report = { resultId: 'r1', flowId: 'flow-1', key: 'k1', now, logs }
    const said = Array.from({ length: 60 }, (_, number) => `${number} `.padEnd(200, 'x'))
    for (const [number, content] of said.entries()) {
      await write(answering('r1', content))
      if (number === 0) expect(await writer.appendClientLogs(report)).toBe(true)
    }
    await writer.close()
    const { rows } = await execute(databaseUrl(), `SELECT base, size FROM results WHERE id = 'r1'`)
    expect(rows[0].base.length).toBeGreaterThan(4000)
    expect(await writer.appendClientLogs(report)).toBe(true)
    expect(await contentsOf('r1')).toEqual(said)
    expect(await results.get('flow-1', 'r1')).toMatchObject({ createdAt: now, isCompleted: false, logs })
  })

  it('take logs once for each key, where they are', async () => {
    const { write, writer, results } = await open()
    const logs = [{ status: 'error' as const, description: 'broken' }]
    const report = { resultId: 'r1', flowId: 'flow-1', key: 'k1', now, logs }
    expect(await writer.appendClientLogs(report)).toBe(false)
    await write(answering('r1', 'a'))
    expect(await writer.appendClientLogs(report)).toBe(true)
    expect(await writer.appendClientLogs(report)).toBe(true)
    expect((await results.get('flow-1', 'r1'))?.logs).toHaveLength(1)
  })

  it('take the id of any flow', async () => {
    const { write, results } = await open()
    await write({ ...answering('r1', 'a'), flowId: 'flow \0 Ω 🙂' })
    expect(await results.get('flow \0 Ω 🙂', 'r1')).toMatchObject({ answers: [{ content: 'a' }] })
  })
})

import { expect, it, onTestFinished } from 'vitest'
import { createPostgresResultStore } from '../../../src/stores/postgres/results/postgres-result-store.ts'
import { createResultWriter } from '../../../src/stores/postgres/results/result-writer.ts'
import type { ResultUpdate } from '../../../src/stores/result-store.ts'
import { connectEmpty } from '../../support/postgres/open-test-postgres.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

const now = 1_795_252_621_712

const answering = (id: string, content: string): ResultUpdate => ({
  id,
  flowId: 'flow-1',
  now,
  answers: [{ blockId: 'b1', content }],
  hasStarted: true,
  lastChatSessionId: 's1',
})

describeWithPostgres('results that are written apart from conversations', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const database = await connectEmpty(databaseUrl())
    const writer = createResultWriter(database)
    onTestFinished(() => writer.close())
    const results = createPostgresResultStore(database)
    const contentsOf = async (id: string) =>
      (await results.get('flow-1', id))?.answers.map(({ content }) => content)
    return { database, writer, results, contentsOf }
  }

  it('hold each turn once, however often it is sent', async () => {
    const { writer, contentsOf } = await open()
    await writer.writeResultUpdates('turn-1', [answering('r1', 'a'), answering('r2', 'x')])
    await Promise.all([1, 2, 3].map(() => writer.writeResultUpdates('turn-2', [answering('r1', 'b')])))
    await writer.writeResultUpdates('turn-1', [answering('r1', 'a'), answering('r2', 'x')])
    expect([await contentsOf('r1'), await contentsOf('r2')]).toEqual([['a', 'b'], ['x']])
  })

  it('hold the turns that come with one that cannot be written', async () => {
    const { writer, contentsOf } = await open()
    const turns = ['t1', 'not \0 a key', 't3'].map((key) =>
      writer.writeResultUpdates(key, [answering('r1', key)]),
    )
    const [first, second, third] = await Promise.allSettled(turns)
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await contentsOf('r1')).toEqual(['t1', 't3'])
  })

  it('stay erased, also where the first turn comes after the erasure', async () => {
    const { writer, results } = await open()
    await writer.writeResultUpdates('t1', [answering('r1', 'a')])
    expect(await results.delete('flow-1', ['r1'])).toHaveLength(1)
    expect(await results.delete('flow-1', ['r2'])).toEqual([])
    await writer.writeResultUpdates('t2', [answering('r1', 'b'), answering('r2', 'c'), answering('r3', 'd')])
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
    expect(await results.get('flow-1', 'r2')).toBeUndefined()
    expect(await results.get('flow-1', 'r3')).toBeDefined()
  })

  it('leave no line of an erased result behind while turns of it are written', async () => {
    const { writer, results } = await open()
    const turns = Array.from({ length: 40 }, async (_, number) => {
      await new Promise((resolve) => setTimeout(resolve, number / 4))
      await writer.writeResultUpdates(`t${number}`, [answering('r1', `${number}`)])
    })
    await Promise.all([...turns, results.delete('flow-1', ['r1'])])
    await results.delete('flow-1', ['r1'])
    const { rows } = await execute(databaseUrl(), 'SELECT * FROM result_turns')
    expect(rows).toEqual([])
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
  })

  it('keep what was said, and the keys of turns, when they are written anew', async () => {
    const { writer, results, contentsOf } = await open()
    const said = Array.from({ length: 60 }, (_, number) => `${number} `.padEnd(200, 'x'))
    for (const [number, content] of said.entries())
      await writer.writeResultUpdates(`t${number}`, [answering('r1', content)])
    await writer.close()
    const { rows } = await execute(databaseUrl(), `SELECT base, size FROM results WHERE id = 'r1'`)
    expect(rows[0].base.length).toBeGreaterThan(4000)
    await writer.writeResultUpdates('t0', [answering('r1', 'again')])
    expect(await contentsOf('r1')).toEqual(said)
    expect(await results.get('flow-1', 'r1')).toMatchObject({ createdAt: now, isCompleted: false })
  })

  it('take logs once for each key, where they are', async () => {
    const { writer, results } = await open()
    const logs = [{ status: 'error' as const, description: 'broken' }]
    const report = { resultId: 'r1', flowId: 'flow-1', key: 'k1', now, logs }
    expect(await writer.appendClientLogs(report)).toBe(false)
    await writer.writeResultUpdates('t1', [answering('r1', 'a')])
    expect(await writer.appendClientLogs(report)).toBe(true)
    expect(await writer.appendClientLogs(report)).toBe(true)
    expect((await results.get('flow-1', 'r1'))?.logs).toHaveLength(1)
  })

  it('take the id of any flow', async () => {
    const { writer, results } = await open()
    await writer.writeResultUpdates('t1', [{ ...answering('r1', 'a'), flowId: 'flow \0 Ω 🙂' }])
    expect(await results.get('flow \0 Ω 🙂', 'r1')).toMatchObject({ answers: [{ content: 'a' }] })
  })
})

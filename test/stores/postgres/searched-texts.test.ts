import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { writeChange } from '../../../src/stores/codec/result-codec.ts'
import type { ResultUpdate } from '../../../src/stores/result-store.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { liveSession } from '../contracts/conversation-store.ts'

const saying = (id: string, ...contents: string[]): ResultUpdate => ({
  id,
  flowId: 'flow-1',
  now: 1_795_252_621_712,
  answers: contents.map((content) => ({ blockId: 'b1', content })),
})

describeWithPostgres('what results are found by', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const { writer, results, open: openStore } = await openPostgresStores(databaseUrl())
    const store = openStore()
    const write = (...updates: ResultUpdate[]) =>
      store.start({ session: liveSession(randomUUID()), results: updates })
    const find = async (text: string) => {
      const { results: found } = await results.list('flow-1', { limit: 10, filter: { text } })
      return found.map(({ id }) => id)
    }
    const kept = async () => {
      const sql = 'SELECT said, held, covered = size AS "isWhole" FROM results ORDER BY number'
      return (await execute(databaseUrl(), sql)).rows
    }
    return { store, writer, results, write, find, kept }
  }

  it('is all that was answered, and the last values of variables', async () => {
    const { write, kept, results } = await open()
    const variables = [{ id: 'v', name: 'Name', value: ['Ada', 'B\0'] }]
    await write(saying('r1', 'ONE', 'two'), { ...saying('r1', 'Größe'), variables })
    await write({ ...saying('r1'), variables: [{ id: 'v', name: 'Name', value: 'Zoë' }] })
    await results.add('flow-1', [saying('r2', 'Added')])
    expect(await kept()).toEqual([
      { said: 'one\ntwo\ngröße\n', held: 'zoë\n', isWhole: true },
      { said: 'added\n', held: null, isWhole: true },
    ])
  })

  it('stays whole where a result is written anew, and a client adds logs', async () => {
    const { store, write, writer, kept } = await open()
    for (let turn = 0; turn < 60; turn++) await write(saying('r1', `Turn ${turn} ${'x'.repeat(120)}`))
    await writer.close()
    const logs = [{ status: 'error' as const, description: 'broken' }]
    await store.appendClientLogs({ flowId: 'flow-1', resultId: 'r1', key: 'k', logs, now: 0 })
    const [row] = await kept()
    expect(row).toMatchObject({ isWhole: true })
    expect(row.said).toContain('turn 59 ')
    expect(row.said.split('\n')).toHaveLength(61)
  })

  it('is nothing of a result with marked values, or with long texts, which are found all the same', async () => {
    const { write, kept, find } = await open()
    const masked = [{ name: 'Email', text: 'ada@x', sensitivity: 'personal' as const, mark: '[Email]' }]
    await write(saying('r1', 'open'), { ...saying('r1', 'to [Email]'), masked })
    await write(saying('r1', 'and more'), saying('r2', 'long '.repeat(4000)))
    expect(await kept()).toEqual([
      { said: 'open\nand more\n', held: null, isWhole: false },
      { said: null, held: null, isWhole: null },
    ])
    expect(await find('TO ADA')).toEqual(['r1'])
    expect(await find('more')).toEqual(['r1'])
    expect(await find('long long')).toEqual(['r2'])
  })

  it('is not trusted once a build before has added a turn', async () => {
    const { write, find, kept } = await open()
    await write(saying('r1', 'first'), saying('r2', 'other'))
    const line = writeChange({ now: 0, answers: [{ blockId: 'b1', content: 'Second' }] })
    const update = `UPDATE results SET size = size + octet_length($$${line}$$) WHERE id = 'r1' RETURNING number`
    const { rows } = await execute(databaseUrl(), update)
    const insert = `INSERT INTO result_turns (result, line) VALUES (${rows[0].number}, $$${line}$$)`
    await execute(databaseUrl(), insert)
    await write(saying('r1', 'third'))
    expect(await kept()).toMatchObject([{ isWhole: false }, { isWhole: true }])
    for (const text of ['first', 'second', 'third']) expect(await find(text)).toEqual(['r1'])
    expect(await find('fourth')).toEqual([])
  })

  it.each([
    ['erases it', `is_erased = true, base = NULL, size = 0`],
    ['writes it anew', `base = '[1]', size = 3`],
  ])('goes where a build before %s', async (_name, changed) => {
    const { write, kept } = await open()
    await write({ ...saying('r1', 'a canary'), variables: [{ id: 'v', name: 'V', value: 'canary' }] })
    await execute(databaseUrl(), `UPDATE results SET ${changed}`)
    expect(await kept()).toEqual([{ said: null, held: null, isWhole: null }])
  })

  it('goes with the result', async () => {
    const { write, results, kept } = await open()
    await write(saying('r1', 'a canary'))
    await results.delete('flow-1', ['r1'])
    expect(await kept()).toEqual([{ said: null, held: null, isWhole: null }])
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../../src/stores/postgres/postgres-database.ts'
import { createPostgresFlowTable } from '../../../src/stores/postgres/postgres-flow-table.ts'
import {
  describeWithPostgres,
  emptyDatabase,
  execute,
  unstorableId,
  useDatabase,
} from '../../support/postgres/postgres-tests.ts'
import { changing, describeFlowTable, publishing } from '../contracts/flow-table.ts'

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined }

/** Longer than any test takes: only notifications are quicker. */
const never = 600_000

describeWithPostgres('PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  function open({ pollMs = never } = {}) {
    const database = new PostgresDatabase({ databaseUrl: databaseUrl(), maxConnections: 4, report: silent })
    onTestFinished(() => database.close())
    return createPostgresFlowTable({ database, databaseUrl: databaseUrl(), pollMs })
  }

  async function openEmpty(options?: { pollMs?: number }) {
    await emptyDatabase(databaseUrl())
    return open(options)
  }

  /** Counts how often a catalogue says that something may have changed. */
  function follow(catalogue: ReturnType<typeof open>, onChange = async () => undefined) {
    const counts = { calls: 0, publicIds: [] as (readonly string[] | undefined)[] }
    const stop = catalogue.follow((publicIds) => {
      counts.calls += 1
      counts.publicIds.push(publicIds)
      return onChange()
    })
    onTestFinished(stop)
    return { counts, stop }
  }

  const followers = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ 'max.changed|LISTEN'
    AND pid <> pg_backend_pid()`

  describeFlowTable('the catalogue of a database', openEmpty)

  describe('the catalogue of a database', () => {
    it('is one for all processes', async () => {
      const [one, two] = [await openEmpty(), open()]
      const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`)
      await Promise.all(
        texts.map((text, index) => (index % 2 ? one : two).change(changing('shop', publishing(text)))),
      )
      expect((await one.versions('shop')).map(({ version }) => version)).toEqual(
        texts.map((_, index) => texts.length - index),
      )
      expect(await two.find('shop')).toEqual(await one.find('shop'))
      expect(await two.audit({ limit: 20 })).toHaveLength(12)
    })

    it('says at once what another process has changed, deletions too', async () => {
      const [one, two] = [await openEmpty(), open()]
      const { counts } = follow(two)
      await expect.poll(() => counts.calls).toBe(1)
      await one.change(changing('shop', publishing('one')))
      await expect.poll(() => counts.calls).toBe(2)
      await one.change(changing('shop', { kind: 'delete' }))
      await expect.poll(() => counts.calls).toBe(3)
      expect(counts.publicIds).toEqual([undefined, ['shop'], ['shop']])
    })

    it('has all looked up where a restored database is back at what it was before', async () => {
      const one = await openEmpty({ pollMs: 50 })
      for (const id of ['a', 'b']) await one.change(changing(id, publishing(id)))
      const { counts } = follow(one)
      await expect.poll(() => counts.calls).toBe(1)
      await execute(databaseUrl(), "DELETE FROM flows WHERE id = 'b'")
      await expect.poll(() => counts.publicIds).toEqual([undefined, undefined])
    })

    it('finds out what was changed while its connection was lost', async () => {
      const [one, two] = [await openEmpty({ pollMs: 50 }), open({ pollMs: 50 })]
      const { counts } = follow(two)
      await expect.poll(() => counts.calls).toBe(1)
      for (const text of ['one', 'two', 'three']) {
        const before = counts.calls
        await execute(databaseUrl(), `SELECT pg_terminate_backend(pid) FROM (${followers}) AS f`)
        await one.change(changing('shop', publishing(text)))
        await expect.poll(() => counts.calls).toBeGreaterThan(before)
      }
    })

    it('says again what could not be looked up', async () => {
      const one = await openEmpty({ pollMs: 50 })
      let failures = 3
      const { counts } = follow(one, async () => {
        failures -= 1
        if (failures >= 0) throw new Error('away')
      })
      await expect.poll(() => counts.calls).toBe(4)
      await one.change(changing('shop', publishing('one')))
      await expect.poll(() => counts.calls).toBe(5)
    })

    it('keeps no connection once nobody follows it', async () => {
      const one = await openEmpty()
      const { counts, stop } = follow(one)
      await expect.poll(() => counts.calls).toBe(1)
      expect((await execute(databaseUrl(), followers)).rowCount).toBe(1)
      await stop()
      await expect.poll(async () => (await execute(databaseUrl(), followers)).rowCount).toBe(0)
      await one.change(changing('shop', publishing('one')))
      expect(counts.calls).toBe(1)
    })

    it('keeps nothing of a change that fails on the way', async () => {
      const one = await openEmpty()
      const tooLong = changing('shop', publishing('one', { hash: unstorableId }))
      await expect(one.change(tooLong)).rejects.toThrow()
      expect(await one.find('shop')).toBeUndefined()
      expect(await one.definition('hash of one')).toBeUndefined()
      expect(await one.audit({ limit: 5 })).toEqual([])
      expect(await one.change(changing('shop', publishing('one')))).toMatchObject({ entry: { version: 1 } })
    })
  })
})

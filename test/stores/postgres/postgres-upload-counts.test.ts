import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { createDiskFileStorage } from '../../../src/adapters/file-storage/disk-file-storage.ts'
import { createPostgresUploadCounts } from '../../../src/stores/postgres/postgres-upload-counts.ts'
import { connect, connectEmpty } from '../../support/postgres/open-test-postgres.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

const ada = 'a'.repeat(32)
const bob = 'b'.repeat(32)
const fileBytes = 1000

describeWithPostgres('uploads of several processes', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  /** Two processes with one folder and one database. */
  async function openTwo({ totalBytes = 1_000_000 } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'uploads-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await connectEmpty(databaseUrl())
    await execute(databaseUrl(), 'TRUNCATE uploads')
    const open = async () => {
      const counts = createPostgresUploadCounts(connect(databaseUrl()))
      const report = (error: unknown) => {
        throw error
      }
      const files = await createDiskFileStorage({
        folder,
        totalBytes,
        fileBytes,
        ttlMs: undefined,
        counts,
        report,
      })
      onTestFinished(() => files.close())
      return files
    }
    return { one: await open(), other: await open(), open }
  }

  type Files = Awaited<ReturnType<typeof openTwo>>['one']

  const save = (files: Files, owner: string, name: string, bytes = fileBytes) =>
    files.save({ owner, name, isPrivate: false }, Readable.from([Buffer.alloc(bytes)]), fileBytes)

  const counted = async () =>
    (await execute(databaseUrl(), 'SELECT owner, name, bytes FROM uploads ORDER BY owner, name')).rows

  it('keep to the bound of a conversation together', async () => {
    const { one, other } = await openTwo()
    for (const name of ['1.png', '2.png', '3.png']) expect(await save(one, ada, name)).toBe('saved')
    expect(await save(other, ada, '4.png')).toBe('saved')
    expect(await save(other, ada, '5.png')).toBe('saved')
    expect(await save(one, ada, '6.png')).toBe('owner full')
    expect(await save(one, bob, '1.png')).toBe('saved')
  })

  it('keep to the bound of all together, also when they come at once', async () => {
    const { one, other } = await openTwo({ totalBytes: 2 * (4096 + fileBytes) })
    const owners = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(32))
    const outcomes = await Promise.all(
      owners.map((owner, at) => save(at % 2 === 0 ? one : other, owner, 'a.png')),
    )
    expect(outcomes.sort()).toEqual(['full', 'full', 'full', 'full', 'saved', 'saved'])
    expect(await one.roomFor(bob, 1)).toBe('full')
  })

  it('have room again once files were erased by whichever process', async () => {
    const { one, other } = await openTwo({ totalBytes: 4096 + fileBytes })
    expect(await save(one, ada, 'a.png')).toBe('saved')
    expect(await save(other, bob, 'b.png')).toBe('full')
    await other.removeOwned([ada])
    expect(await save(one, bob, 'b.png')).toBe('saved')
    expect(await counted()).toEqual([{ owner: bob, name: 'b.png', bytes: String(fileBytes) }])
  })

  it('count what lay there before, and not what was lost', async () => {
    const { one, open } = await openTwo()
    await save(one, ada, 'a.png')
    await execute(databaseUrl(), 'TRUNCATE uploads')
    await execute(databaseUrl(), `INSERT INTO uploads VALUES ('${bob}', 'gone.png', 5, 0)`)
    await open()
    expect(await counted()).toEqual([{ owner: ada, name: 'a.png', bytes: String(fileBytes) }])
  })
})

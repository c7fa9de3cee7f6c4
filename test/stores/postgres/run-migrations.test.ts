import { readdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { runMigrations } from '../../../src/stores/postgres/run-migrations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

function collect() {
  const lines: string[] = []
  const add = (line: string) => void lines.push(line)
  return { lines, log: { info: add, warn: add, error: add } }
}

/** A message of the server's side of the protocol. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 0xffff)])
const ready = message('Z', Buffer.from('I'))

/** Answers every statement with one row of one text, which is what a server says of its version. */
async function startServerOfVersion(version: string): Promise<string> {
  const field = Buffer.concat([
    Buffer.from('server_version\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  const answer = Buffer.concat([
    message('T', Buffer.concat([int16(1), field])),
    message('D', Buffer.concat([int16(1), int32(version.length), Buffer.from(version)])),
    message('C', Buffer.from('SHOW\0')),
    ready,
  ])
  const server = createServer((socket: Socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (data) => data[0] === 'Q'.charCodeAt(0) && socket.write(answer))
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `postgres://somebody@127.0.0.1:${(server.address() as { port: number }).port}/flows`
}

it('refuses a server that is too old, and names its version', async () => {
  const url = await startServerOfVersion('14.9 (Debian 14.9-1)')
  await expect(runMigrations(url, collect().log)).rejects.toThrow(
    'DATABASE_URL names PostgreSQL 14.9 (Debian 14.9-1); 15 or later is needed',
  )
})

it('says that a server cannot be reached', async () => {
  const url = 'postgres://somebody:secret@127.0.0.1:1/flows'
  const failure = await runMigrations(url, collect().log).catch((error: Error) => error.message)
  expect(failure).toMatch(/^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED/)
  expect(failure).not.toContain('secret')
})

describeWithPostgres('migrations', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl, { isMigrated: false })

  it('are run once by processes that start together, and by none that starts later', async () => {
    const { lines, log } = collect()
    await Promise.all([1, 2, 3].map(() => runMigrations(databaseUrl(), log)))
    const names = readdirSync('migrations').map((file) => file.replace(/\.sql$/, ''))
    expect(lines).toEqual(names.sort().map((name) => `migrating the database: ${name}`))
    await runMigrations(databaseUrl(), log)
    expect(lines).toHaveLength(names.length)
  })

  it('warn of what a later build has added, and go on', async () => {
    await runMigrations(databaseUrl(), collect().log)
    await execute(databaseUrl(), `INSERT INTO schema_migrations (name, run_on) VALUES ('9999_later', now())`)
    const { lines, log } = collect()
    await runMigrations(databaseUrl(), log)
    expect(lines).toEqual([
      expect.stringMatching(/has the schema of a later version of the service \(9999_later\)/),
    ])
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubble, edge, group, leaving, textInput, variable } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { startPostgres } from '../../support/postgres/postgres-server.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

/** Asks again and again, and says what it has heard. */
const echo = wholeDefinition({
  variables: [variable('Said')],
  groups: [group('g1', textInput('i1', 'vSaid'), leaving(bubble('b1', 'heard {{Said}}'), 'e1'))],
  edges: [edge('e1', 'g1')],
})

interface Sent {
  readonly to: string
  readonly body?: Json
  readonly key?: string
}

function makeFlows(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'echo.json'), JSON.stringify(echo))
  return folder
}

async function startService(databaseUrl: string, flows = makeFlows(), more: Record<string, string> = {}) {
  const variables = { FLOWS_DIR: flows, DATABASE_URL: databaseUrl, ADMIN_TOKEN: 'operator', ...more }
  const service = await startBuiltService(variables)
  onTestFinished(() => void service.child.kill('SIGKILL'))
  async function send({ to, body, key }: Sent) {
    const response = await fetch(service.address + to, {
      headers: {
        authorization: 'Bearer operator',
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    ...service,
    send,
    begin: (key?: string) =>
      send({ to: '/v1/flows/echo/startChat', body: {}, ...(key !== undefined && { key }) }),
    say: (sessionId: unknown, message: string) =>
      send({
        to: `/v1/sessions/${sessionId}/continueChat`,
        body: { message, textBubbleContentFormat: 'markdown' },
        key: `${sessionId}-${message}`,
      }),
    contents: async (resultId: unknown) => {
      const { body } = await send({ to: `/v1/flows/flow-1/results/${resultId}` })
      return (body['answers'] as { content: string }[]).map(({ content }) => content)
    },
  }
}

const heard = (message: string) => ({
  status: 200,
  body: { messages: [{ content: { markdown: `heard ${message}` } }], input: { id: 'i1' } },
})

describeWithPostgres('two processes on one database', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl, { isMigrated: false })

  it('serve each conversation in turns, and go on with those of one that is killed', async () => {
    const flows = makeFlows()
    const [one, other] = await Promise.all([
      startService(databaseUrl(), flows),
      startService(databaseUrl(), flows),
    ])
    const { body } = await one.begin('start-of-a-conversation')
    expect((await other.begin('start-of-a-conversation')).body).toEqual(body)
    const { sessionId, resultId } = body
    for (const [index, message] of ['a', 'b', 'c', 'd'].entries())
      expect(await (index % 2 === 0 ? other : one).say(sessionId, message)).toMatchObject(heard(message))
    const together = ['e', 'f', 'g', 'h'].map((message, index) =>
      (index % 2 === 0 ? other : one).say(sessionId, message),
    )
    for (const answer of await Promise.all(together)) expect(answer.status).toBe(200)
    one.child.kill('SIGKILL')
    await one.ended
    expect(await other.say(sessionId, 'd')).toMatchObject(heard('d'))
    expect(await other.say(sessionId, 'i')).toMatchObject(heard('i'))
    const contents = await other.contents(resultId)
    expect(contents).toHaveLength(9)
    expect(contents.slice(0, 4)).toEqual(['a', 'b', 'c', 'd'])
    expect([...contents].sort()).toEqual([...'abcdefghi'])
  })

  it('go on with the previews of one another', async () => {
    const [one, other] = await Promise.all([startService(databaseUrl()), startService(databaseUrl())])
    const started = await one.send({ to: '/v1/flows/echo/preview/startChat', body: { flow: echo } })
    expect(started.status).toBe(200)
    expect(await other.say(started.body['sessionId'], 'x')).toMatchObject(heard('x'))
  })

  it('count the requests of an address together', async () => {
    const max = 100
    const [flows, limit] = [makeFlows(), { RATE_LIMIT_MAX: `${max}` }]
    const [one, other] = await Promise.all([1, 2].map(() => startService(databaseUrl(), flows, limit)))
    for (let nth = 0; nth < max; nth++) expect((await one?.begin())?.status).toBe(200)
    let passed = 0
    while ((await other?.begin())?.status === 200) {
      passed += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(passed).toBeLessThan(max)
  })

  it('give back what they hold when they end, and leave no connection behind', async () => {
    const service = await startService(databaseUrl())
    const { body } = await service.begin()
    await service.say(body['sessionId'], 'a')
    expect(await service.stop()).toBe(0)
    const { rows } = await execute(databaseUrl(), 'SELECT FROM leases UNION ALL SELECT FROM waiting')
    expect(rows).toEqual([])
    const open = `SELECT FROM pg_stat_activity WHERE application_name = 'flow-runtime' AND datname = current_database()`
    await expect.poll(async () => (await execute(databaseUrl(), open)).rows).toEqual([])
  })
})

describeWithPostgres('a database that goes away', () => {
  it('is 503 at once, also for readiness, with nothing lost once it is back', async () => {
    // Otherwise a crash may come before the migrations are on the disk.
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.stop())
    const service = await startService(server.url)
    const { sessionId, resultId } = (await service.begin()).body
    await service.say(sessionId, 'a')
    await server.crash()
    expect((await service.say(sessionId, 'b')).status).toBe(503)
    expect((await service.begin()).status).toBe(503)
    const ready = await service.send({ to: '/ready' })
    expect(ready).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(String(ready.body['detail'] ?? ready.body['message'])).toContain('The database does not serve')
    expect((await service.send({ to: '/health' })).status).toBe(200)
    await server.restart()
    await expect.poll(async () => (await service.send({ to: '/ready' })).status).toBe(200)
    expect(await service.say(sessionId, 'a')).toMatchObject(heard('a'))
    expect(await service.say(sessionId, 'b')).toMatchObject(heard('b'))
    expect(await service.contents(resultId)).toEqual(['a', 'b'])
    expect(service.output()).not.toContain('postgres@')
  })

  it('ends no process, however much it is asked for when it goes', async () => {
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.stop())
    const service = await startService(server.url)
    let isOver = false
    const statuses = new Set<number>()
    const visitors = Array.from({ length: 16 }, async () => {
      while (!isOver) statuses.add((await service.begin()).status)
    })
    for (let crashes = 0; crashes < 3; crashes++) {
      await server.crash()
      await expect.poll(async () => (await service.send({ to: '/ready' })).status).toBe(503)
      await server.restart()
      await expect.poll(async () => (await service.send({ to: '/ready' })).status).toBe(200)
    }
    isOver = true
    await Promise.all(visitors)
    expect([...statuses].sort()).toEqual([200, 503])
    expect(await service.stop()).toBe(0)
  })

  it('that does not answer any more is 503, too', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const service = await startService(server.url)
    const { sessionId } = (await service.begin()).body
    const backends = await execute(
      server.url,
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'flow-runtime'`,
    )
    const pids = [server.child.pid as number, ...backends.rows.map(({ pid }) => pid as number)]
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      expect((await service.say(sessionId, 'a')).status).toBe(503)
      expect((await service.send({ to: '/ready' })).status).toBe(503)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await expect.poll(async () => (await service.send({ to: '/ready' })).status).toBe(200)
    await expect.poll(async () => (await service.say(sessionId, 'a')).status).toBe(200)
  })
})

describe('--migrate-only', () => {
  const run = promisify(execFile)
  const migrate = (variables: Record<string, string>) =>
    run(process.execPath, ['dist/bin/flow-runtime.js', '--migrate-only'], {
      env: { PATH: process.env['PATH'], ...variables },
      cwd: join(import.meta.dirname, '../../..'),
    })

  it('needs a database', async () => {
    await expect(migrate({})).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL'),
    })
  })

  it('fails in words where there is none', async () => {
    const failure = migrate({ DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/flows' })
    await expect(failure).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be reached'),
    })
    await expect(failure).rejects.toMatchObject({ stderr: expect.not.stringContaining('s3cret') })
  })
})

describeWithPostgres('--migrate-only with a database', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl, { isMigrated: false })

  it('brings the schema up, and ends', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dist/bin/flow-runtime.js', 'serve', '--migrate-only'],
      {
        env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl() },
        cwd: join(import.meta.dirname, '../../..'),
      },
    )
    expect(stdout).toContain('migrating the database: 0001_initial')
    expect((await execute(databaseUrl(), 'SELECT FROM sessions')).rows).toEqual([])
  })
})

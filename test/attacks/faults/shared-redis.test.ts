import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { bubble, edge, group, leaving, textInput, variable } from '../../fixtures/short-flows.ts'
import { startServiceProcess } from '../../service/service-process.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { startPostgres } from '../../support/postgres/postgres-server.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'

/** Asks again and again, and says what it has heard. */
const echo = wholeDefinition({
  variables: [variable('Said')],
  groups: [group('g1', textInput('i1', 'vSaid'), leaving(bubble('b1', 'heard {{Said}}'), 'e1'))],
  edges: [edge('e1', 'g1')],
})

const heard = (message: string) => ({
  status: 200,
  body: { messages: [{ content: { markdown: `heard ${message}` } }], input: { id: 'i1' } },
})

describeWithRedis('with REDIS_URL', () => {
  describeWithPostgres('two processes', (serverUrl) => {
    const databaseUrl = useDatabase(serverUrl, { isMigrated: false })
    let redis: RedisServer
    beforeAll(async () => {
      redis = await startRedisServer()
    })
    afterAll(() => redis.close())

    async function startService(variables: Record<string, string> = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'flows-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(folder, 'echo.json'), JSON.stringify(echo))
      const stores = { DATABASE_URL: databaseUrl(), REDIS_URL: redis.url }
      const service = await startServiceProcess({
        FLOWS_DIR: folder,
        ADMIN_TOKEN: 'operator',
        ...stores,
        ...variables,
      })
      onTestFinished(() => void service.child.kill('SIGKILL'))
      async function send(to: string, body?: Json, key?: string) {
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
        begin: (key?: string) => send('/v1/flows/echo/startChat', {}, key),
        say: (sessionId: unknown, message: string) =>
          send(
            `/v1/sessions/${sessionId}/continueChat`,
            { message, textBubbleContentFormat: 'markdown' },
            `${sessionId}-${message}`,
          ),
        contents: async (resultId: unknown) => {
          const { body } = await send(`/v1/flows/flow-1/results/${resultId}`)
          return (body['answers'] as { content: string }[]).map(({ content }) => content)
        },
      }
    }

    it('serve each conversation in turns, and go on with those of one that is killed', async () => {
      const [one, other] = await Promise.all([startService(), startService()])
      const { body } = await one.begin('start-of-a-conversation')
      expect((await other.begin('start-of-a-conversation')).body).toEqual(body)
      const { sessionId, resultId } = body
      for (const [index, message] of ['a', 'b', 'c', 'd'].entries())
        expect(await (index % 2 === 0 ? other : one).say(sessionId, message)).toMatchObject(heard(message))
      one.child.kill('SIGKILL')
      await one.ended
      expect(await other.say(sessionId, 'd')).toMatchObject(heard('d'))
      expect(await other.say(sessionId, 'e')).toMatchObject(heard('e'))
      expect(await other.contents(resultId)).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await other.stop()).toBe(0)
    })

    it('go on with the previews of one another', async () => {
      const [one, other] = await Promise.all([startService(), startService()])
      const started = await one.send('/v1/flows/echo/preview/startChat', { flow: echo })
      expect(started.status).toBe(200)
      expect(await other.say(started.body['sessionId'], 'x')).toMatchObject(heard('x'))
    })

    it('count the requests of an address together', async () => {
      const limit = { RATE_LIMIT_MAX: '4' }
      const services = await Promise.all([startService(limit), startService(limit)])
      const statuses: number[] = []
      for (let nth = 0; nth < 5; nth++) statuses.push((await services[nth % 2]?.begin())?.status ?? 0)
      expect(statuses).toEqual([200, 200, 200, 200, 429])
    })

    it('are 503 while Redis is away, also for readiness, with nothing lost once it is back', async () => {
      const service = await startService({ RATE_LIMIT_MAX: '1000' })
      const { sessionId, resultId } = (await service.begin()).body
      expect(await service.say(sessionId, 'a')).toMatchObject(heard('a'))
      await redis.kill()
      expect((await service.say(sessionId, 'b')).status).toBe(503)
      const { status, body } = await service.send('/ready')
      expect(status).toBe(503)
      expect(JSON.stringify(body)).toMatch(/Redis can't be used/)
      await redis.restart()
      await expect.poll(async () => (await service.send('/ready')).status).toBe(200)
      expect(await service.say(sessionId, 'b')).toMatchObject(heard('b'))
      expect(await service.contents(resultId)).toEqual(['a', 'b'])
    })

    it('go on and stay ready while PostgreSQL is away, and say so, with every result once it is back', async () => {
      const postgres = await startPostgres({ isDurable: true })
      onTestFinished(() => postgres.stop())
      const service = await startService({ DATABASE_URL: postgres.url })
      const { sessionId, resultId } = (await service.begin()).body
      await postgres.crash()
      for (const message of ['a', 'b'])
        expect(await service.say(sessionId, message)).toMatchObject(heard(message))
      const notices = ['The database does not serve: what turns change about results waits in Redis']
      expect(await service.send('/ready')).toEqual({ status: 200, body: { status: 'ready', notices } })
      await postgres.restart()
      await expect.poll(async () => (await service.send('/ready')).body).toEqual({ status: 'ready' })
      expect(await service.contents(resultId)).toEqual(['a', 'b'])
    })

    it('are not ready while Redis is full, and turns go on once it is not', async () => {
      const service = await startService()
      const { sessionId } = (await service.begin()).body
      await redis.client.config('SET', 'maxmemory', '1')
      for (const message of ['a', 'b']) {
        expect((await service.send('/ready')).status).toBe(503)
        const { status, body } = await service.say(sessionId, message)
        expect([status, body['message']]).toEqual([503, "Redis can't be used"])
      }
      await redis.client.config('SET', 'maxmemory', '0')
      expect((await service.send('/ready')).status).toBe(200)
      expect(await service.say(sessionId, 'a')).toMatchObject(heard('a'))
    })

    it('are refused at their start where nothing listens, in words', async () => {
      await expect(startService({ REDIS_URL: 'redis://127.0.0.1:1' })).rejects.toThrow(
        /REDIS_URL can't be used: .*ECONNREFUSED/,
      )
    })
  })
})

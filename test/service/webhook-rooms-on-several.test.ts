import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { textInput } from '../fixtures/short-flows.ts'
import { asking, openService } from '../publication/open-publishing-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { describeWithPostgres, execute, useDatabase } from '../support/postgres/postgres-tests.ts'

const listening = wholeDefinition({
  id: 'shop-flow',
  blocks: [{ id: 'hook', type: 'webhook' }, textInput('a')],
})

/** What was lost with a connection is heard again within. */
const known = { timeout: 20_000, interval: 500 }

async function openTwo(variables: Record<string, string>) {
  const given = { DATA_DIR: '', COMPAT_API: 'on', PREVIEW_TOKEN: 'pr3view', ...variables }
  const [one, two] = [await openService(given), await openService(given)]
  await one.publish(listening)
  await expect.poll(async () => (await two.ask('GET', '/flows/shop')).status, known).toBe(200)
  const address = String(await two.listen()).replace('http', 'ws')
  const join = async (room: string) => {
    const socket = new WebSocket(`${address}/parties/main/${room}/webhooks`)
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const heard: string[] = []
    socket.on('message', (text) => heard.push(String(text)))
    return heard
  }
  /** Calls until it is heard: a process may not listen yet. */
  const callUntilHeard = async (heard: readonly string[], path: string, payload: object) => {
    const call = async () => {
      expect((await one.ask('POST', path, payload)).status).toBe(200)
      return heard
    }
    await expect.poll(call, known).toContain(JSON.stringify({ data: payload }))
  }
  return { one, two, join, callUntilHeard }
}

/** The routes of the other API are beside those of ours. */
const api = '/../api/v1/typebots/shop-flow/blocks/hook'

async function expectCallsAtBoth({ one, join, callUntilHeard }: Awaited<ReturnType<typeof openTwo>>) {
  const { status, body } = await one.ask('POST', '/flows/shop/startChat', {})
  expect(status, JSON.stringify(body)).toBe(200)
  const heard = await join(body.resultId)
  await callUntilHeard(heard, `/flows/shop/blocks/hook/results/${body.resultId}/executeWebhook`, { paid: 7 })
  const preview = (flow: object) =>
    one.ask('POST', '/flows/shop/preview/startChat', { flow }, { authorization: 'Bearer pr3view' })
  const draft = await preview(listening)
  const tested = await join(`undefined/${draft.body.sessionId}`)
  const other = await preview(asking('hook'))
  const elsewhere = await join(`undefined/${other.body.sessionId}`)
  await callUntilHeard(tested, `${api}/web/executeTestWebhook`, { test: 8 })
  expect(elsewhere).toEqual([])
  return { heard, resultId: String(body.resultId) }
}

describeWithPostgres('rooms of webhook listeners at several processes', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('hear of calls over the database, and again after the connection was lost', async () => {
    const two = await openTwo({ DATABASE_URL: databaseUrl() })
    const { heard, resultId } = await expectCallsAtBoth(two)
    await execute(
      databaseUrl(),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query IN ('LISTEN announcements', 'SELECT') AND datname = current_database()`,
    )
    heard.length = 0
    await two.callUntilHeard(heard, `/flows/shop/blocks/hook/results/${resultId}/executeWebhook`, { paid: 9 })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'

/** A shop that kills whoever orders, until it is told to serve. */
async function startShop(body: string) {
  let caller: BuiltService | undefined
  const server = await startRawHttpServer(async () => {
    if (!caller) return httpAnswer(200, '{}')
    caller.child.kill('SIGKILL')
    await caller.ended
    caller = undefined
    return undefined
  })
  const webhook = { url: `${server.url}/orders`, method: 'POST', headers: [], body }
  const order = wholeDefinition({
    variables: [variable('Order')],
    blocks: [
      textInput('ask', 'vOrder'),
      { id: 'send', type: 'Webhook', options: { isCustomBody: true, webhook } },
      bubble('done', 'ordered'),
      textInput('more'),
    ],
  })
  return {
    order,
    kills: (service: BuiltService) => {
      caller = service
    },
    orders: () => server.requests.map(({ headers, body }) => [headers.get('idempotency-key'), body]),
  }
}

function playOrders(storesOf: (folder: string) => Record<string, string>) {
  it.each([
    ['says it', '{"order":"{{Order}}"}', (said: string) => JSON.stringify({ order: said })],
    ['is the same whatever was said', '{"order":1}', () => '{"order":1}'],
  ])(
    'sends another order of a visitor under another key, and a repeated one under the same, where the body %s',
    { timeout: 600_000, retry: 0 },
    async (_body, template, bodyOf) => {
      const shop = await startShop(template)
      const folder = mkdtempSync(join(tmpdir(), 'shop-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(folder, 'order.json'), JSON.stringify(shop.order))
      const variables = { FLOWS_DIR: folder, OUTBOUND_ALLOW: '127.0.0.1', ...storesOf(folder) }
      async function start() {
        const service = await startBuiltService(variables)
        onTestFinished(() => void service.child.kill('SIGKILL'))
        const post = (path: string, body: object) =>
          fetch(service.address + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        return { service, post }
      }
      let { service, post } = await start()
      const started = await post('/v1/flows/order/startChat', {})
      const { sessionId } = (await started.json()) as { sessionId: string }
      const say = (message: string) => post(`/v1/sessions/${sessionId}/continueChat`, { message })
      for (const _ of ['first', 'again']) {
        shop.kills(service)
        await expect(say('one chair')).rejects.toThrow()
        ;({ service, post } = await start())
      }
      expect((await say('five tables')).status).toBe(200)
      const orders = shop.orders()
      expect(orders.map(([, body]) => body)).toEqual(['one chair', 'one chair', 'five tables'].map(bodyOf))
      const [chair, again, tables] = orders.map(([key]) => key)
      expect(chair).toMatch(/^[\da-f]{64}$/)
      expect(again).toBe(chair)
      expect(tables).not.toBe(chair)
    },
  )
}

describe('a turn that dies while another system works for it', () => {
  describe('in a folder', () => playOrders((folder) => ({ DATA_DIR: join(folder, 'data') })))

  describeWithPostgres('in PostgreSQL', (serverUrl) => {
    const databaseUrl = useDatabase(serverUrl, { isMigrated: false })
    playOrders(() => ({ DATABASE_URL: databaseUrl() }))
  })
})

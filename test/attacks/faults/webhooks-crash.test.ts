import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import {
  checkEvents,
  startWebhookReceiver,
  type ToldConversation,
  webhookSecret,
} from '../../support/webhook-receiver.ts'

const visitors = 30
const turns = 8

/** Asks for ever. */
const asking = wholeDefinition({
  publicId: 'asking',
  groups: { a: [{ id: 'i', type: 'text input', outgoingEdgeId: 'eA' }] },
  edges: { eA: 'a' },
})

const headers = { 'content-type': 'application/json', authorization: 'Bearer adm1n' }

/** A folder with the flow and the variables of a service that may reach the receiver. */
function makeSetting(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  writeFileSync(join(flows, 'asking.json'), JSON.stringify(asking))
  const variables = { FLOWS_DIR: flows, ADMIN_TOKEN: 'adm1n', OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  return { variables, dataDir: join(folder, 'data') }
}

async function open(variables: Record<string, string>): Promise<BuiltService> {
  const service = await startBuiltService(variables)
  onTestFinished(() => void service.child.kill('SIGKILL'))
  return service
}

async function post(service: BuiltService, path: string, body: object, method = 'POST') {
  const response = await fetch(`${service.address}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { sessionId: string; deliveries: { state: string }[] }
}

/** What a visitor said, and what of it was answered: an answer may never come. */
async function visit(sessionId: string, pick: () => BuiltService): Promise<ToldConversation> {
  const said = Array.from({ length: turns }, (_, nth) => String(nth + 1))
  const acknowledged: string[] = []
  for (const message of said) {
    await delay(40 + Math.random() * 60)
    await post(pick(), `/v1/sessions/${sessionId}/continueChat`, { message }).then(
      () => acknowledged.push(message),
      () => delay(500),
    )
  }
  return { sessionId, said, acknowledged }
}

/** Visitors who have begun, and go on with whichever process is picked each time. */
async function begin(pick: () => BuiltService) {
  const starts = Array.from({ length: visitors }, () => post(pick(), '/v1/flows/asking/startChat', {}))
  const ids = (await Promise.all(starts)).map(({ sessionId }) => sessionId)
  return { visiting: Promise.all(ids.map((id) => visit(id, pick))) }
}

/** A receiver that takes two thirds of what comes gets all of it, in order. */
async function endure(run: (receiver: { readonly url: string; readonly port: number }) => Promise<Visits>) {
  const receiver = await startWebhookReceiver()
  onTestFinished(receiver.close)
  const { service, visits } = await run(receiver)
  const waiting = async () => {
    const path = '/v1/webhooks/crm/deliveries?state=waiting&limit=500'
    const response = await fetch(`${service.address}${path}`, { headers })
    return ((await response.json()) as { deliveries: unknown[] }).deliveries.length
  }
  const begun = Date.now()
  let retries = 0
  await expect
    .poll(
      async () => {
        // What was claimed by a process that was killed, and then cut off, would wait for five minutes.
        if (Date.now() - begun > 40_000 * (retries + 1)) {
          retries += 1
          await post(service, '/v1/webhooks/crm/retry', {})
        }
        return await waiting()
      },
      { timeout: 200_000, interval: 500 },
    )
    .toBe(0)
  expect(receiver.forged).toEqual([])
  for (const visit of visits) expect(checkEvents(receiver, visit)).toEqual({ missing: [], outOfOrder: [] })
}

interface Visits {
  /** One that is there at the end. */
  readonly service: BuiltService
  readonly visits: readonly ToldConversation[]
}

const endpoint = (url: string) => ({ url, secrets: [webhookSecret], includesContent: true })

it('delivers every event in the order of its conversation over kill -9 with a data folder', async () => {
  await endure(async ({ url, port }) => {
    const { variables, dataDir } = makeSetting(port)
    const given = { ...variables, DATA_DIR: dataDir }
    let service = await open(given)
    await post(service, '/v1/webhooks/crm', endpoint(url), 'PUT')
    const { visiting } = await begin(() => service)
    for (let kills = 0; kills < 2; kills++) {
      await delay(300)
      service.child.kill('SIGKILL')
      await service.ended
      service = await open(given)
    }
    return { service, visits: await visiting }
  })
})

describeWithPostgres('several processes on a database', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('deliver every event in the order of its conversation, whichever of them is killed', async () => {
    await endure(async ({ url, port }) => {
      const { variables } = makeSetting(port)
      const given = { ...variables, DATABASE_URL: databaseUrl() }
      const [one, two, three] = await Promise.all([open(given), open(given), open(given)])
      await post(one, '/v1/webhooks/crm', endpoint(url), 'PUT')
      // Until all of them know.
      await delay(4000)
      let living = [one, two, three]
      const pick = () => living[Math.floor(Math.random() * living.length)] as BuiltService
      const { visiting } = await begin(pick)
      for (const killed of [one, two]) {
        await delay(300)
        living = living.filter((service) => service !== killed)
        killed.child.kill('SIGKILL')
      }
      return { service: three, visits: await visiting }
    })
  })
})

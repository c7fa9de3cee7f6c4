import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { bubble, modelQuestion, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { answers, expectAlarms, goingOn, rulesFile } from '../../support/alarm-rules.ts'
import { type BuiltService, notKept, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { startCuttingProxy } from '../../support/cutting-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { installedTool } from '../../support/installed-tool.ts'
import type { Json } from '../../support/json.ts'
import { countOf } from '../../support/metrics-text.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { startFakeTelegram } from '../../support/providers/fake-telegram.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { webhookSecret } from '../../support/webhook-receiver.ts'

const asking = wholeDefinition({ blocks: [bubble('b1'), textInput('a'), textInput('b')] })

/** Everything that it asks for fails. */
const failing = (address: string) =>
  wholeDefinition({
    id: 'failing-1',
    blocks: [
      { id: 'r1', type: 'Webhook', options: { webhook: { url: address, method: 'GET' } } },
      {
        id: 'q1',
        type: 'openai',
        options: modelQuestion('Hi', 'vReply', { credentialsId: 'default-openai', model: 'tiny-1' }),
      },
      {
        id: 'm1',
        type: 'Email',
        options: { credentialsId: 'default', recipients: ['desk@shop.example'], body: 'Hi' },
      },
      textInput('a'),
    ],
    variables: [variable('Reply')],
  })

/** It goes round, and fills in hundreds of placeholders each time. */
const endless = wholeDefinition({
  blocks: [{ ...setVariable('b1', 'vReply', '{{Reply}}'.repeat(500)), outgoingEdgeId: 'e1' }],
  edges: { e1: 'g1' },
  variables: [variable('Reply')],
})

async function open(flows: Readonly<Record<string, Json | string>>, variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'alarms-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, flow] of Object.entries(flows)) {
    writeFileSync(join(folder, `${name}.json`), typeof flow === 'string' ? flow : JSON.stringify(flow))
  }
  const service = await startBuiltService({ FLOWS_DIR: folder, ...variables })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  return { service, ...talkingTo(service) }
}

function talkingTo({ address }: BuiltService) {
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers: Record<string, string> = { ...notKept }
    if (body) headers['content-type'] = 'application/json'
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const response = await fetch(address + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  const post = async (path: string, body: object) => await send('POST', path, body)
  return {
    send,
    start: (flow: string) => post(`/v1/flows/${flow}/startChat`, {}),
    say: (sessionId: string) => post(`/v1/sessions/${sessionId}/continueChat`, { message: 'hi' }),
    scrape: async () => (await send('GET', '/metrics')).text,
  }
}

const sessionOf = ({ text }: { readonly text: string }) => String(JSON.parse(text).sessionId)

/** A messenger that brings what people write, and refuses what they are answered. */
async function openFailingMessenger(refusing: string) {
  const telegram = await startFakeTelegram()
  onTestFinished(() => telegram.close())
  const folder = mkdtempSync(join(tmpdir(), 'alarms-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  const data = { ...telegram.account, baseUrl: refusing }
  return {
    variables: {
      PUBLIC_URL: 'https://flows.example',
      CREDENTIALS_FILE: fileOf('accounts.json', [{ id: 'bot', type: 'telegram', data }]),
      CHANNELS_FILE: fileOf('channels.json', { telegram: { account: 'bot', flow: 'asking' } }),
    },
    async writeTo(address: string) {
      telegram.urls.push(`${address}/v1/channels/telegram/webhook`)
      await telegram.sayText('33612345678', 'Hi')
    },
  }
}

/** A process whose flows fail and whose room is spent. */
async function failingProcess() {
  const other = await startRawHttpServer(() => httpAnswer(500))
  const messenger = await openFailingMessenger(other.url)
  const flows = { asking, failing: failing(other.url), endless, broken: '{' }
  const opened = await open(flows, {
    SESSION_MAX: '2',
    OUTBOUND_ALLOW: '127.0.0.1',
    ADMIN_TOKEN: 'adm1n',
    ...messenger.variables,
    OPENAI_API_KEY: 'sk-1',
    OPENAI_BASE_URL: `${other.url}/v1`,
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}?from=shop%40mail.example`,
    MAX_TURN_CPU_MS: '200',
  })
  const { send, start, scrape } = opened
  const before = await scrape()
  const webhook = { url: other.url, secrets: [webhookSecret], events: ['conversation.started'] }
  expect(await send('PUT', '/v1/webhooks/desk', webhook, 'adm1n')).toMatchObject({ status: 200 })
  for (let nth = 0; nth < 8; nth++) expect((await start('failing')).status).toBe(200)
  await expect
    .poll(async () => countOf(await scrape(), 'flow_runtime_webhook_deliveries_total{outcome="failed"}'))
    .toBeGreaterThan(0)
  await messenger.writeTo(opened.service.address)
  await expect
    .poll(async () => countOf(await scrape(), 'flow_runtime_channel_deliveries_total{outcome="failed"}'))
    .toBeGreaterThan(0)
  const heavy = Array.from({ length: 60 }, () => start('endless'))
  await expect
    .poll(async () => countOf(await scrape(), 'flow_runtime_heavy_turns_refused_total{turn="start"}'), {
      interval: 20,
    })
    .toBeGreaterThan(0)
  const after = await scrape()
  await Promise.all(heavy)
  return { ...opened, series: goingOn({ instance: 'failing', before, after }) }
}

/** A process whose database has stopped answering. */
async function stuckProcess(databaseUrl: string) {
  const proxy = await startCuttingProxy(Number(new URL(databaseUrl).port))
  onTestFinished(() => proxy.close())
  const url = new URL(databaseUrl)
  url.port = String(proxy.port)
  const opened = await open({ asking }, { DATABASE_URL: url.href, DATABASE_CONNECTIONS: '2' })
  const { send, start, say, scrape } = opened
  const before = await scrape()
  const sessions = await Promise.all(Array.from({ length: 24 }, () => start('asking')))
  proxy.hold()
  let goesOn = true
  const visitors = sessions.map(async (started) => {
    while (goesOn) expect((await say(sessionOf(started))).status).not.toBe(200)
  })
  await delay(5_000)
  expect((await send('GET', '/ready')).status).toBe(503)
  let after = ''
  await expect
    .poll(async () => {
      after = await scrape()
      return countOf(after, 'flow_runtime_database_waiting')
    })
    .toBeGreaterThan(0)
  goesOn = false
  await Promise.all(visitors)
  return goingOn({ instance: 'stuck', before, after })
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[]
}

const alarms = (parse(readFileSync(rulesFile, 'utf8')) as RuleFile).groups.flatMap(({ rules }) =>
  rules.map(({ alert }) => alert),
)

for (const promtool of installedTool('promtool', 'the alarms of deploy/prometheus/rules.yml')) {
  it('the rules and the example of a scrape are as Prometheus reads them', () => {
    execFileSync(promtool, ['check', 'rules', rulesFile])
    const config = join(rulesFile, '../prometheus.yml')
    execFileSync(promtool, ['check', 'config', '--syntax-only', config])
  })

  it('no alarm rings of a process that serves', async () => {
    const data = mkdtempSync(join(tmpdir(), 'alarms-data-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const { service, send, start, say, scrape } = await open({ asking }, { DATA_DIR: data })
    const before = await scrape()
    for (let nth = 0; nth < 10; nth++) {
      const sessionId = sessionOf(await start('asking'))
      for (const status of [200, 200, 404]) expect((await say(sessionId)).status).toBe(status)
      expect((await send('GET', '/ready')).status).toBe(200)
    }
    const series = goingOn({ instance: 'well', before, after: await scrape() })
    await expectAlarms([...series, answers('well', true)], [])
    await service.stop()
  })

  describeWithPostgres('processes in trouble', (serverUrl) => {
    const databaseUrl = useDatabase(serverUrl)

    it('ring every alarm', async () => {
      const failed = await failingProcess()
      const stuck = await stuckProcess(databaseUrl())
      failed.service.child.kill('SIGKILL')
      await failed.service.ended
      const isUp = await failed.scrape().then(
        () => true,
        () => false,
      )
      await expectAlarms([...failed.series, ...stuck, answers('failing', isUp)], alarms)
    })
  })
}

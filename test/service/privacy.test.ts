import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { notKept, startBuiltService } from '../support/built-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { startCollector } from '../support/otlp-collector.ts'
import { findPostgres } from '../support/postgres/postgres-server.ts'
import { describeWithPostgres, execute, useDatabase } from '../support/postgres/postgres-tests.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'
import { startWebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'

/** Values that are looked for: of a personal and of a secret variable, and what was said in their places and refused. */
const email = 'canary-person@shop.example'
const pin = 'canary-secret-8264'
const refused = 'canary-refused'
const canaries = /canary-/

/** The model says again what it was told. */
const echo = (body: string) => {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] }
  const content = `You wrote: ${messages.map(({ content }) => content).join(' | ')}`
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return httpAnswer(200, JSON.stringify({ id: 'c', object: 'chat.completion', choices }))
}

const careful = (shop: string) =>
  wholeDefinition({
    id: 'careful',
    variables: [
      variable('Email', { sensitivity: 'personal' }),
      variable('PIN', { sensitivity: 'secret' }),
      variable('Reply'),
      variable('Copy'),
    ],
    blocks: [
      { id: 'i1', type: 'email input', options: { variableId: 'vEmail' } },
      textInput('i2', 'vPIN'),
      bubble('b1', 'Thanks, {{Email}}, your PIN is {{PIN}}'),
      {
        id: 'q1',
        type: 'openai',
        options: {
          action: 'Create chat completion',
          credentialsId: 'tiny',
          model: 'tiny-1',
          messages: [{ role: 'user', content: 'Greet {{Email}}, whose PIN is {{PIN}}' }],
          responseMapping: [{ item: 'Message content', variableId: 'vReply' }],
        },
      },
      setVariable('s1', 'vCopy', { expressionToEvaluate: 'nothing({{Email}}, {{PIN}})', isCode: true }),
      {
        id: 'w1',
        type: 'Webhook',
        options: { webhook: { url: `${shop}/order?of={{Email}}`, method: 'GET' } },
      },
      bubble('b2', '{{Reply}}'),
      textInput('i3'),
      bubble('b3', 'Bye'),
    ],
  })

/** Has a conversation, and everybody be told of it who is ever told. */
async function converse(variables: Record<string, string>) {
  const models = await startRawHttpServer(({ body }) => echo(body))
  const shop = await startRawHttpServer(({ target }) => httpAnswer(500, `no ${target}`))
  const receiver = await startWebhookReceiver({ cuts: false })
  const collector = await startCollector()
  const folder = mkdtempSync(join(tmpdir(), 'privacy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const inFolder = (name: string) => join(folder, name)
  const account = { id: 'tiny', type: 'openai', data: { apiKey: 'k', baseUrl: `${models.url}/v1` } }
  writeFileSync(inFolder('accounts'), JSON.stringify([account]))
  writeFileSync(inFolder('tokens'), 'ann=t0ken-of-ann\ndesk:results+operate=t0ken-of-desk\n')
  const service = await startBuiltService({
    LOG_LEVEL: 'trace',
    OUTBOUND_ALLOW: '127.0.0.1',
    CREDENTIALS_FILE: inFolder('accounts'),
    ADMIN_TOKENS_FILE: inFolder('tokens'),
    RECORD_LIVE: 'all',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    ...variables,
  })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const send = async (method: string, path: string, body?: unknown, token = 't0ken-of-ann') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...notKept }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    return await (await fetch(service.address + path, { method, headers, ...init })).text()
  }
  const told = { url: receiver.url, secrets: [webhookSecret], includesContent: true }
  await send('PUT', '/v1/webhooks/crm', told)
  await send('PUT', '/v1/flows/careful', careful(shop.url))
  const { sessionId, resultId } = JSON.parse(await send('POST', '/v1/flows/careful/startChat', {})) as Json
  const say = async (message: string) =>
    JSON.parse(await send('POST', `/v1/sessions/${sessionId}/continueChat`, { message })) as Json
  await say(refused)
  await say(email)
  const shown = await say(pin)
  return { models, shop, receiver, collector, service, send, say, shown, resultId: String(resultId) }
}

const path = '/v1/flows/careful/results'

/** Looks at everything that left the service, and at what those read who may read some of it. */
async function expectMasked({
  models,
  shop,
  receiver,
  collector,
  service,
  send,
  say,
  shown,
  resultId,
}: Awaited<ReturnType<typeof converse>>) {
  // The visitor reads what they wrote, also where a model has it from them.
  const text = JSON.stringify(shown['messages'])
  for (const value of [email, pin]) expect(text.split(value)).toHaveLength(3)
  expect(models.requests).toHaveLength(1)
  expect(models.requests[0]?.body).toContain('Greet [Email], whose PIN is [PIN]')
  // The author's own block sends what it says.
  expect(shop.requests.map(({ target }) => decodeURIComponent(target))).toEqual([`/order?of=${email}`])
  await expect.poll(() => JSON.stringify(receiver.taken)).toContain('whose PIN is [PIN]')
  const events = JSON.stringify(receiver.taken)
  expect(
    [events, models.requests[0]?.body, service.output()].filter((told) => canaries.test(String(told))),
  ).toEqual([])

  for (const route of [
    path,
    `${path}?format=csv`,
    `${path}/export`,
    `${path}/${resultId}`,
    `${path}/${resultId}/recording`,
  ]) {
    const masked = await send('GET', route, undefined, 't0ken-of-desk')
    expect(masked).toContain('[Email')
    expect(masked).not.toMatch(canaries)
    const whole = await send('GET', route)
    expect(whole).toContain('person')
    expect(whole).not.toContain(pin)
  }
  const recording = JSON.parse(await send('GET', `${path}/${resultId}/recording`))
  expect(recording.masked).toEqual([{ mark: '[PIN]', name: 'PIN' }])
  const replay = JSON.parse(await send('POST', '/v1/flows/replay', { recording }))
  expect(replay).toEqual({ turns: 4, replayed: 3, masked: ['PIN'] })
  expect(await send('GET', '/v1/contacts/ann', undefined, 't0ken-of-desk')).toContain(
    'lacks the scope personal',
  )
  expect(await say('Bye')).not.toHaveProperty('input')
  await expect.poll(() => JSON.stringify(receiver.taken)).toContain('conversation.ended')
  return { spans: () => JSON.stringify(collector.bodies) }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

/** How often a value stands in the files of a folder, in whatever way it is written. */
const foundIn = (folder: string, value: string) =>
  filesIn(folder).filter((file) => readFileSync(file).includes(value))

it('what marked variables hold is in no file, line, span or byte that goes out, but where it has to be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'privacy-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const talk = await converse({ DATA_DIR: folder })
  const { spans } = await expectMasked(talk)
  // Ended: the secret is nowhere any more, the rest where the result is.
  expect(await talk.service.stop()).toBe(0)
  expect(spans()).toContain('[PIN]')
  expect(spans()).not.toMatch(canaries)
  expect(talk.service.output()).not.toMatch(canaries)
  expect(foundIn(folder, pin)).toEqual([])
  expect(foundIn(folder, 'canary-').map((file) => file.slice(folder.length + 1))).toEqual(['data.db'])

  const again = await startBuiltService({ DATA_DIR: folder, ADMIN_TOKEN: 'adm1n' })
  onTestFinished(() => void again.child.kill('SIGKILL'))
  const headers = { authorization: 'Bearer adm1n', ...notKept }
  const erased = await fetch(`${again.address}${path}/${talk.resultId}`, { method: 'DELETE', headers })
  expect(erased.status).toBe(204)
  expect(await again.stop()).toBe(0)
  expect(foundIn(folder, 'canary-')).toEqual([])
})

describeWithPostgres('in a database', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)
  /** All that a backup of the database would hold. */
  const dumped = () => {
    const env = { ...process.env, PATH: `${process.env['PATH']}${delimiter}${findPostgres()}` }
    return execFileSync('pg_dump', ['--dbname', databaseUrl()], { env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  }
  /** How often a value stands in the pages of the database, those included that no row has any more. */
  const foundInPages = async (value: string) => {
    const where = `SELECT current_setting('data_directory') || '/base/' || oid AS folder
      FROM pg_database WHERE datname = current_database()`
    await execute(databaseUrl(), 'CHECKPOINT')
    const { rows } = await execute(databaseUrl(), where)
    return foundIn(String(rows[0].folder), value)
  }

  it('what marked variables hold is in no row but that of the result, and the secret in none', async () => {
    const talk = await converse({ DATABASE_URL: databaseUrl() })
    await expectMasked(talk)
    const held = dumped()
    expect(held).not.toContain(pin)
    expect(held).toContain('canary-')
    expect(await foundInPages(email)).not.toEqual([])
    await talk.send('DELETE', `${path}/${talk.resultId}`)
    expect(dumped()).not.toMatch(canaries)
    expect(await talk.service.stop()).toBe(0)
    expect(talk.service.output()).not.toMatch(canaries)
    // What the server does by itself at some time.
    await execute(databaseUrl(), 'VACUUM (FULL, ANALYZE)')
    expect(await foundInPages('canary-')).toEqual([])
  })
})

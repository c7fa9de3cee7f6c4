import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { startSmtpServer } from '../adapters/mailer/smtp-test-server.ts'
import { says } from '../fixtures/asking-models.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { notKept, startBuiltService } from '../support/built-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'
import { createTestChat, type TestChatOptions } from '../support/start.ts'

/** Everything that may not be told begins like this, and goes on with what it is. */
const canary = /hush[a-z]*/gi

const found = (output: string) => [...new Set(output.match(canary))]

const request = (id: string, url: string): Json => ({
  id,
  type: 'Webhook',
  options: {
    isCustomBody: true,
    webhook: {
      url: `${url}?key=hushquery`,
      headers: [
        { id: 'h1', key: 'authorization', value: 'Basic hushuser:hushpassword' },
        { id: 'h2', key: 'x-key', value: 'hushflowheader' },
      ],
      body: '{"said": "{{Said}} hushflowbody"}',
    },
    responseVariableMapping: [{ id: 'm', variableId: 'vAnswer', bodyPath: 'data' }],
  },
})

const mail = (id: string, to: string): Json => ({
  id,
  type: 'Email',
  options: { credentialsId: 'default', recipients: [to], subject: 'hushsubject', body: 'hushmail {{Said}}' },
})

const question = (id: string, credentialsId: string): Json => ({
  id,
  type: 'openai',
  options: {
    action: 'Create chat completion',
    credentialsId,
    model: 'tiny',
    messages: [{ role: 'user', content: 'hushprompt {{Said}}' }],
    responseMapping: [{ variableId: 'vAnswer' }],
  },
})

const script = (id: string, content: string): Json => ({
  id,
  type: 'Code',
  options: { content, isExecutedOnClient: false },
})

interface Elsewhere {
  readonly shop: string
  readonly nobody: string
}

/** Does everything that a flow can do, well and badly. */
function busyFlow({ shop, nobody }: Elsewhere): Json {
  const variables = [variable('Said', { value: 'hushdefault' }), variable('Answer'), variable('Listened')]
  return wholeDefinition({
    id: 'busy',
    variables,
    settings: { metadata: { title: '{{= JSON.parse("hushtitle") =}}' } },
    blocks: [
      bubble('b1', 'hushtext {{Said}}'),
      textInput('i1', 'vSaid'),
      request('r1', `${shop}/hushpath`),
      request('r2', `${shop}/broken`),
      request('r3', `${nobody}/hushpath`),
      request('r4', 'http://10.0.0.1/hushpath'),
      request('r5', 'http://hush hush/'),
      mail('m1', 'hushrecipient@shop.example'),
      mail('m2', 'refused-hushrecipient@shop.example'),
      question('q1', 'tiny'),
      question('q2', 'wrong'),
      question('q3', 'hushaccount'),
      script('c1', 'throw new Error("hushcode " + {{Said}})'),
      script('c2', 'hushcode('),
      script('c3', `await fetch("${shop}/hushfetch", { headers: { "x-key": "hushflowheader" } })`),
      {
        id: 's1',
        type: 'Set variable',
        options: { variableId: 'vAnswer', expressionToEvaluate: '({{Said}}).hushcode()', isCode: true },
      },
      { id: 'f1', type: 'file input', options: { isRequired: false } },
      {
        id: 'l1',
        type: 'webhook',
        options: { responseVariableMapping: [{ id: 'm', variableId: 'vListened', bodyPath: 'data' }] },
      },
      bubble('b2', '{{Answer}} {{Listened}}'),
      textInput('i2'),
    ],
  })
}

/** All that a request can carry and its answer must not repeat; the path is told back to whoever sent it. */
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer hushbearer',
  cookie: 'session=hushcookie',
  'x-forwarded-for': 'hushforwarded',
  'idempotency-key': 'hushkey-hushkey-hushkey',
  'user-agent': 'hushagent',
  referer: 'https://shop.example/hushreferer',
  'x-custom': 'hushcustom',
}

const message = (said: string) => ({
  type: 'text',
  text: said,
  attachedFileUrls: ['https://shop.example/hushfile'],
  metadata: { replyId: 'hushreply' },
})

describe('the service, as it runs, reveals nothing of', () => {
  it('what was said, who said it and what it keeps', async () => {
    const shop = await startRawHttpServer(({ target }) =>
      target.startsWith('/broken')
        ? (socket) => socket.destroy()
        : httpAnswer(target.includes('fetch') ? 500 : 200, '{"answer": "hushanswer"}', {
            'x-key': 'hushheader',
          }),
    )
    const models = await startRawHttpServer(({ headers: { get } }, nth) =>
      nth % 2 === 0 ? says('hushmodel') : httpAnswer(401, `{"error":{"message":"hushrefusal ${get}"}}`),
    )
    const post = await startSmtpServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('refused') ? new Error(`no hushrecipient ${address}`) : null),
    })
    const folder = mkdtempSync(join(tmpdir(), 'leaks-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const inFolder = (name: string) => join(folder, name)
    const flow = busyFlow({ shop: shop.url, nobody: 'http://127.0.0.1:9' })
    const shut = { ...flow, id: 'shut', settings: { security: { allowedOrigins: ['https://shop.example'] } } }
    writeFileSync(inFolder('busy.json'), JSON.stringify(flow))
    writeFileSync(inFolder('shut.json'), JSON.stringify(shut))
    writeFileSync(inFolder('no-json.json'), '{"id": "x", "groups": hushfile }')
    writeFileSync(inFolder('no-flow.json'), '{"id": "y", "groups": "hushfile"}')
    const account = (id: string, apiKey: string) => ({
      id,
      type: 'openai',
      data: { apiKey, baseUrl: `${models.url}/v1` },
    })
    writeFileSync(
      inFolder('accounts'),
      JSON.stringify([account('tiny', 'hushmodelkey'), account('wrong', 'hushmodelkey')]),
    )
    const service = await startBuiltService({
      LOG_LEVEL: 'trace',
      FLOWS_DIR: folder,
      OUTBOUND_ALLOW: '127.0.0.1',
      CREDENTIALS_FILE: inFolder('accounts'),
      SMTP_URL: `smtp://hushsmtpuser:hushsmtppassword@127.0.0.1:${post.port}?from=shop%40shop.example&ignoreTls=true`,
      OPENAI_API_KEY: 'hushopenai',
      PREVIEW_TOKEN: 'hushpreviewtoken',
      ADMIN_TOKEN: 'hushadmintoken',
      UPLOADS_DIR: inFolder('uploads'),
      UPLOAD_SECRET: 'hushuploadsecret-that-is-long-enough',
    })
    const secrets: string[] = []
    const refusals: string[] = []

    /** Sends a request that carries all that it can; what is refused is looked at like the log. */
    async function send(method: string, path: string, body: unknown, more: Record<string, string> = {}) {
      const response = await fetch(service.address + path, {
        method,
        headers: { ...notKept, ...headers, 'idempotency-key': `hushkey-${randomUUID()}`, ...more },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const answer = await response.text()
      if (response.status >= 400) {
        const { instance: _, ...told } = JSON.parse(answer) as Json
        refusals.push(JSON.stringify([told, ...response.headers]))
      }
      return { status: response.status, body: (answer.startsWith('{') ? JSON.parse(answer) : {}) as Json }
    }
    const start = async (path: string, body: Json, more?: Record<string, string>) => {
      const started = await send(
        'POST',
        `/v1/flows/${path}/startChat?hushparameter=hushparameter`,
        body,
        more,
      )
      const { sessionId = 'none', resultId = 'none' } = started.body as Record<string, string>
      secrets.push(...[sessionId, resultId].filter((id) => id !== 'none'))
      return { ...started, sessionId, resultId }
    }
    const say = (sessionId: string, said: unknown, more?: Record<string, string>) =>
      send('POST', `/v1/sessions/${sessionId}/continueChat`, { message: said }, more)
    const admin = { authorization: 'Bearer hushadmintoken' }
    const trusted = { authorization: 'Bearer hushpreviewtoken' }
    const statuses: Record<string, unknown> = {}

    const prefilledVariables = { Said: 'hushprefilled', hushname: 'hushprefilled' }
    const live = await start('busy', { prefilledVariables, message: message('hushearly') })
    const spoken = await say(live.sessionId, message('hushreply'))
    expect(spoken).toMatchObject({ status: 200, body: { input: { id: 'f1' } } })
    // Every block has done its work, so that there was something to tell.
    expect([shop.requests.length, models.requests.length, post.mails.length]).toEqual([3, 2, 1])

    const offer = await send('POST', '/v3/generate-upload-url', {
      sessionId: live.sessionId,
      fileName: 'hushfile.png',
      fileType: 'image/png',
    })
    const { presignedUrl = '', fileUrl = '' } = offer.body as Record<string, string>
    const uploadPath = new URL(presignedUrl).pathname
    secrets.push(...uploadPath.split('/').slice(2), ...new URL(fileUrl).pathname.split('/').slice(2))
    // There is no folder any more, but a file in its place.
    rmSync(inFolder('uploads'), { recursive: true })
    writeFileSync(inFolder('uploads'), 'hushfile')
    statuses['an upload that cannot be kept'] = (await send('PUT', uploadPath, 'hushbytes')).status
    await send('GET', new URL(fileUrl).pathname, undefined)
    await send('PUT', '/uploads/hushtoken.hushsignature', 'hushbytes')
    await send('DELETE', `/v1/flows/busy/results/${live.resultId}`, undefined, admin)
    const other = await start('busy', {})
    await say(other.sessionId, { type: 'audio', url: 'https://shop.example/hushaudio' })
    await say(other.sessionId, { type: 'command', command: 'hushcommand' })
    await say(other.sessionId, null)
    const hook = `/v1/flows/busy/blocks/l1/results/${other.resultId}/executeWebhook`
    statuses['a webhook'] = (await send('POST', hook, { paid: 'hushpayload' }, admin)).status
    await send('POST', hook, { paid: 'hushpayload' })
    await send('POST', hook, '["hushpayload"]', admin)
    statuses['its answer'] = (await say(other.sessionId, undefined)).status
    await say(other.sessionId, { type: 'audio', url: 5, text: 'hushtyped' })
    await say(other.sessionId, message('hush'.repeat(5000)))
    await say('hushsession', 'hushlost')
    await send('POST', `/v1/sessions/${other.sessionId}/updateFlow`, {}, admin)
    await send('POST', `/v2/sessions/${other.sessionId}/streamMessage`, {})
    await send('POST', `/v2/sessions/${other.sessionId}/clientLogs`, {
      clientLogs: [{ description: 'hushlog' }],
    })
    await send('GET', `/v1/flows/busy/results/${other.resultId}`, undefined, admin)
    await send('GET', '/v1/flows/busy/results?format=csv&cursor=hushcursor', undefined, admin)
    await send('GET', `/v1/flows/busy/results/${other.resultId}`, undefined)
    await start('shut', { message: 'hushearly' }, { origin: 'https://hushorigin.example' })
    await start('hushpublic', { message: 'hushearly' })
    await start('busy', { message: 5, prefilledVariables: 'hushprefilled' } as Json)
    await send('POST', '/v1/flows/busy/startChat', '{"message": hushbroken}')
    await send('POST', '/v1/flows/busy/startChat', `{"message": "${'hush'.repeat(500_000)}"}`)
    await send('POST', '/v1/flows/busy/startChat', 'hushform=1', { 'content-type': 'text/hush' })
    await send(
      'POST',
      '/v1/flows/busy/startChat',
      { message: 'one' },
      { 'idempotency-key': 'hushsame-hushsame-hushsame' },
    )
    await send(
      'POST',
      '/v1/flows/busy/startChat',
      { message: 'two' },
      { 'idempotency-key': 'hushsame-hushsame-hushsame' },
    )
    await send('GET', '/hushnowhere?hush=hushparameter', undefined)
    await send('GET', '/v1/flows/%hush/startChat', undefined)
    const preview = await start(
      'hushflow/preview',
      { flow, sessionId: 'hushchosen', message: 'hushearly' },
      trusted,
    )
    expect(preview.status).toBe(200)
    await say('hushchosen', 'hushreply')
    await start('hushflow/preview', { flow, message: 'hushearly' })
    await start('hushflow/preview', { flow: { ...flow, groups: 'hushgroups', theme: 'hushtheme' } }, trusted)
    await start('hushflow/preview', { flow, sessionId: 'hush chosen' }, trusted)
    const { port } = new URL(service.address)
    for (const bytes of [
      'HUSH hushline\r\nhush\r\n\r\n',
      'POST /hush HTTP/1.1\r\nhost: hush\r\ncontent-length: hush\r\n\r\n',
    ]) {
      refusals.push(await text(connect(Number(port), '127.0.0.1').end(bytes)))
    }

    expect(statuses).toEqual({ 'an upload that cannot be kept': 500, 'a webhook': 200, 'its answer': 200 })
    expect(await service.stop()).toBe(0)
    const output = service.output()
    expect(output).toContain('request failed')
    expect(output).toContain('no-json.json')
    expect(found(output)).toEqual([])
    expect(secrets.length).toBeGreaterThan(6)
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
    expect(refusals.length).toBeGreaterThan(20)
    expect(found(refusals.join('\n'))).toEqual([])
  })
})

describe('a defect reveals nothing of', () => {
  /** Ways in which what a store or an adapter throws may hold what it was given. */
  const thrown: readonly (() => never)[] = [
    () => JSON.parse('{"said": hushstored}') as never,
    () => {
      throw new Error('no row "hushrow" for live:hushV1StGXR8Z5jdHi6Bmy')
    },
    () => {
      throw Object.assign(new Error('it failed'), { detail: 'hushdetail', query: { id: 'hushid' } })
    },
    () => {
      throw new Error('it failed', { cause: new TypeError('hushcause is not a function') })
    },
    () => {
      throw 'hushtext'
    },
  ]

  const places: readonly (readonly [string, (broken: () => never) => TestChatOptions])[] = [
    [
      'the conversation store',
      (broken) => ({ conversations: { ...createTestChat().conversations, commit: async () => broken() } }),
    ],
    ['the result store', (broken) => ({ results: { apply: () => broken() } })],
    [
      'the published flows',
      (broken) => ({ published: { ...createTestChat().published, byPublicId: async () => broken() } }),
    ],
    ['the sandbox', (broken) => ({ sandbox: { run: async () => broken(), close: async () => undefined } })],
    ['a port', (broken) => ({ ports: { ...createTestChat().ports, now: broken } })],
  ]

  it.each(places)('what was said, wherever it happens: %s', async (_name, breaking) => {
    const flow = wholeDefinition({
      variables: [variable('Said', { value: 'hushsaid' })],
      blocks: [
        script('c1', 'for (const each of [{{Said}}]) setVariable("Said", each)'),
        { id: 's1', type: 'Set variable', options: { variableId: 'vSaid', type: 'Now' } },
        textInput('i1', 'vSaid'),
      ],
    })
    const lines: string[] = []
    let failures = 0
    for (const broken of thrown) {
      const { chat, reports } = createTestChat([flow], breaking(broken))
      const { app, logLines } = await buildTestApp({ chat })
      const payload = { prefilledVariables: { Said: 'hushprefilled' } }
      const response = await app.inject({
        method: 'POST',
        url: '/v1/flows/flow-1/startChat',
        headers,
        payload,
      })
      const log = createLogger('trace', { write: (line) => void lines.push(line) })
      for (const report of reports) log.error(report, 'a block handler failed')
      lines.push(...logLines.map((line) => JSON.stringify(line)))
      failures += reports.length
      if (response.statusCode === 200) continue
      failures += 1
      expect(response.json()).toMatchObject({ status: 500, message: 'Internal server error' })
      lines.push(response.body, JSON.stringify(response.headers))
    }
    expect(failures).toBeGreaterThanOrEqual(thrown.length)
    expect(found(lines.join('\n'))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createSystemPorts } from '../../src/adapters/system/system-ports.ts'
import type { ByteString } from '../../src/lib/byte-string.ts'
import { readServedSchemas } from '../fixtures/served-schemas.ts'
import { bubble, endlessFlow, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import {
  type ConformanceCase,
  readConformanceFiles,
  responseOfTurn,
  wholeDefinition,
  wholeResponse,
} from '../support/conformance.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { previewRequest } from '../support/preview-request.ts'
import { createTestChat, sessionOf, type TestChat } from '../support/start.ts'

const publicStart = '/v1/flows/flow-1/startChat'
const previewStart = '/v1/flows/flow-1/preview/startChat'

/** The real server around the real use cases. */
async function startService(
  definitions: readonly Json[] = [],
  {
    previewToken,
    adminToken,
    ...options
  }: Parameters<typeof createTestChat>[1] & { previewToken?: string; adminToken?: string } = {},
) {
  const chat = createTestChat(definitions, options)
  const { app, logLines } = await buildTestApp({
    chat: chat.chat,
    config: { previewToken, adminTokens: adminTokens(adminToken) },
  })
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { app, chat, logLines, post }
}

const flow = wholeDefinition({
  blocks: [bubble('b1', 'Grüße, {{Name}} 🎈'), textInput('b2', 'vName')],
  variables: [variable('Name')],
  theme: { customCss: '/* {{Name}} */' },
})

const body = { prefilledVariables: { Name: 'Zoë "日本"\n\u2028' } }

describe('a start over HTTP', () => {
  it.each<[string, string, Json, (chat: TestChat) => Promise<ByteString>]>([
    [
      'public',
      publicStart,
      body,
      ({ chat }) => chat.startPublished({ publicId: 'flow-1', origin: undefined, body }),
    ],
    [
      'preview',
      previewStart,
      { ...body, flow },
      ({ chat }) => chat.startPreview(previewRequest({ ...body, flow })),
    ],
  ])('sends what the use case said, byte by byte: %s', async (_name, url, payload, start) => {
    const { post } = await startService([flow])
    const said = await start(createTestChat([flow]))
    const response = await post(url, payload)
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload).toEqual(Buffer.from(said, 'latin1'))
    expect(response.headers['content-length']).toBe(String(said.length))
    expect(response.json()).toMatchObject({
      sessionId: 'session-1',
      flow: { theme: { customCss: '/* Zoë \\22 日本\\22 \\a \u2028 */' } },
      messages: [{ id: 'b1' }],
      input: { id: 'b2', prefilledValue: body.prefilledVariables.Name },
    })
  })

  it('leaves a session and a result behind', async () => {
    const { chat, post } = await startService([flow])
    const { sessionId, resultId } = (await post(publicStart, body)).json()
    expect(await sessionOf(chat, `${sessionId}`)).toMatchObject({ waitingBlock: { blockId: 'b2' } })
    expect(await chat.results.get('flow-1', resultId)).toMatchObject({ lastChatSessionId: sessionId })
  })

  it('gives out ids that differ, and nobody can guess, with the ports of the system', async () => {
    const { post } = await startService([flow], { ports: createSystemPorts() })
    const answers = await Promise.all([1, 2, 3].map(async () => (await post(publicStart, {})).json()))
    const ids = answers.flatMap(({ sessionId, resultId }) => [sessionId, resultId])
    expect(new Set(ids).size).toBe(6)
    for (const id of ids) expect(id).toMatch(/^[\w-]{21,}$/)
  })

  it('refuses a prefilled value of 100 000 levels', async () => {
    const { post } = await startService([flow])
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const response = await post(publicStart, `{"prefilledVariables":{"Name":${deep}}}`)
    expect(response.statusCode).toBe(400)
  })

  it('carries the id of the request and one line in the log, which holds no secret', async () => {
    const { logLines, post } = await startService([flow], { previewToken: 'hush-token' })
    const headers = { 'x-request-id': 'r1', authorization: 'Bearer hush-token' }
    const response = await post(previewStart, { flow, sessionId: 'hush', message: 'hush' }, headers)
    expect([response.statusCode, response.headers['x-request-id']]).toEqual([200, 'r1'])
    expect(logLines).toMatchObject([{ requestId: 'r1', status: 200 }])
    expect(JSON.stringify(logLines)).not.toContain('hush')
  })
})

describe('the log line of a request about a session', () => {
  const listening = wholeDefinition({
    publicId: 'shop',
    blocks: [textInput('b1'), textInput('b2')],
  })

  it.each<[string, string, string, unknown]>([
    ['a look', 'GET', '', undefined],
    ['a move to the published version', 'POST', '/updateFlow', {}],
    ['a continue', 'POST', '/continueChat', { message: 'a' }],
  ])('names its flow: %s', async (_name, method, path, payload) => {
    const { app, post, logLines } = await startService([listening], { adminToken: 'admin-token' })
    const { sessionId } = (await post('/v1/flows/shop/startChat', {})).json()
    await app.inject({
      method: method as 'GET',
      url: `/v1/sessions/${sessionId}${path}`,
      headers: {
        authorization: 'Bearer admin-token',
        ...(payload ? { 'content-type': 'application/json' } : {}),
      },
      ...(payload ? { payload } : {}),
    })
    expect(logLines).toMatchObject([{ flow: 'shop' }, { flow: 'shop', status: 200 }])
  })

  it('names its flow: logs of a client, of a preview too, and whatever became of them', async () => {
    const { post, logLines } = await startService([listening], { adminToken: 'admin-token' })
    const { sessionId } = (await post('/v1/flows/shop/startChat', {})).json()
    const preview = (await post(previewStart, { flow: listening })).json()
    const clientLogs = [{ description: 'x' }]
    await post(`/v2/sessions/${sessionId}/clientLogs`, { clientLogs })
    await post(`/v2/sessions/${preview.sessionId}/clientLogs`, { clientLogs })
    await post('/v2/sessions/nobody/clientLogs', { clientLogs })
    const named = logLines.filter(({ msg }) => msg === 'request').map(({ flow, status }) => [flow, status])
    expect(named).toEqual([
      ['shop', 200],
      ['preview', 200],
      ['shop', 200],
      ['preview', 404],
      [undefined, 404],
    ])
  })

  it('names its flow: the call of a webhook', async () => {
    const { post, logLines } = await startService([listening], { adminToken: 'admin-token' })
    const { resultId } = (await post('/v1/flows/shop/startChat', {})).json()
    const headers = { authorization: 'Bearer admin-token' }
    await post(`/v1/flows/shop/blocks/b1/results/${resultId}/executeWebhook`, {}, headers)
    expect(logLines.at(-1)).toMatchObject({ flow: 'shop', status: 409 })
  })
})

describe('a refusal over HTTP', () => {
  const problem = (status: number, title: string, code: string, message: string) => ({
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    message,
  })

  it('names the field of a block by its place in the body', async () => {
    const blocks = [bubble('b1'), bubble('b2'), { ...textInput('b3'), options: { isLong: 'true' } }]
    const { post } = await startService()
    const response = await post('/v1/flows/my-draft/preview/startChat', { flow: wholeDefinition({ blocks }) })
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toEqual({
      ...problem(400, 'Bad Request', 'BAD_REQUEST', 'Input validation failed'),
      instance: '/v1/flows/my-draft/preview/startChat',
      errors: [{ pointer: '/flow/groups/0/blocks/2/options/isLong', message: 'must be boolean' }],
    })
  })

  it('names a place to start from that is not there', async () => {
    const { post } = await startService()
    const startFrom = { type: 'group', groupId: 'gone' }
    expect((await post(previewStart, { flow, startFrom })).json()).toEqual({
      ...problem(400, 'Bad Request', 'BAD_REQUEST', "Start group doesn't exist"),
      instance: previewStart,
      errors: [{ pointer: '/startFrom/groupId', message: 'the flow has no group "gone" to start from' }],
    })
  })

  it.each<[string, Json, Record<string, string>, object]>([
    ['an archived flow', { isArchived: true }, {}, problem(404, 'Not Found', 'NOT_FOUND', 'Flow not found')],
    ['another flow', { publicId: 'other' }, {}, problem(404, 'Not Found', 'NOT_FOUND', 'Flow not found')],
    [
      'a closed flow',
      { isClosed: true },
      {},
      problem(400, 'Bad Request', 'BAD_REQUEST', 'This bot is now closed'),
    ],
    [
      'a foreign origin',
      { settings: { security: { allowedOrigins: ['https://a.example'] } } },
      { origin: 'https://b.example' },
      problem(403, 'Forbidden', 'FORBIDDEN', 'Origin not allowed'),
    ],
  ])('tells of %s', async (_name, more, headers, expected) => {
    const { post } = await startService([{ ...flow, ...more }])
    const response = await post(publicStart, {}, headers)
    expect(response.json()).toEqual({ ...expected, instance: publicStart })
    expect(response.statusCode).toBe(response.json().status)
  })

  it('asks for the token of previews', async () => {
    const { post } = await startService([], { previewToken: 't0ken' })
    const response = await post(previewStart, { flow })
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json()).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await post(previewStart, { flow }, { authorization: 'bearer t0ken' })).statusCode).toBe(200)
  })

  it('looks at the body before anything else', async () => {
    const { post } = await startService([{ ...flow, isArchived: true }], { previewToken: 't0ken' })
    expect((await post(publicStart, { message: 5 })).statusCode).toBe(400)
    expect((await post(publicStart, '{')).json()).toMatchObject({
      message: 'The request body is not valid JSON',
    })
  })

  it('meets a definition of 100 000 levels', async () => {
    const { post } = await startService()
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const response = await post(previewStart, `{"flow":{"id":"x","groups":[],"theme":{"a":${deep}}}}`)
    expect(response.json()).toMatchObject({
      status: 400,
      message: 'The request body holds more than 500 lists and objects inside each other',
    })
  })

  it('keeps the defect of a store to itself', async () => {
    const start = () => Promise.reject(new Error('password 1234'))
    const { logLines, post } = await startService([flow], {
      conversations: { ...createTestChat().conversations, start },
    })
    const response = await post(publicStart, {})
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('1234')
    expect(logLines).toMatchObject([
      { msg: 'request failed', err: { message: 'password 1234' } },
      { status: 500 },
    ])
  })
})

describe('flows that loop for ever', () => {
  it('are answered with a log, while others are served', async () => {
    let elapsedMs = 0
    const ports = {
      ...fixedPorts(),
      elapsed: () => {
        elapsedMs += 2
        return elapsedMs
      },
      nextTurn: createSystemPorts().nextTurn,
    }
    const { app, post } = await startService([endlessFlow], { ports })
    const finished: string[] = []
    const loops = Array.from({ length: 10 }, async () => {
      const response = await post(publicStart, {})
      finished.push('loop')
      return response
    })
    const health = await app.inject('/health')
    finished.push('health')
    expect(health.statusCode).toBe(200)
    for (const response of await Promise.all(loops)) {
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({
        messages: [],
        logs: [
          {
            status: 'error',
            description: 'The conversation was stopped: more than 1000 blocks in one turn',
            details: 'Loop: group "Here" (g1): b1; group "There" (g2): b2',
          },
        ],
      })
    }
    expect(finished).toEqual(['health', ...Array(10).fill('loop')])
  })

  it('are stopped by the clock where blocks are not counted', async () => {
    let elapsedMs = 0
    const ports = {
      ...fixedPorts(),
      elapsed: () => {
        elapsedMs += 1
        return elapsedMs
      },
    }
    const limits = { ...createTestChat().limits, blocksPerTurn: Number.POSITIVE_INFINITY, turnMs: 50 }
    const { post } = await startService([endlessFlow], { ports, limits })
    const response = await post(publicStart, {})
    expect(response.statusCode).toBe(200)
    expect(response.json().logs).toMatchObject([
      {
        status: 'error',
        description: 'The conversation was stopped: more than 50 ms of engine time in one turn',
      },
    ])
  })
})

const isRefused = ({ then = [] }: ConformanceCase) => then.some(({ error }) => error !== undefined)
/** Time passes for no request. */
const isTimed = ({ then = [] }: ConformanceCase) => then.some(({ after }) => after !== undefined)

describe('the description that the service serves', () => {
  const files = readConformanceFiles()
  const cases = files.flatMap((file) => file.cases)
  /** Whichever they are: that the others are answered as they expect is what playing them shows. */
  const sent = new Set(
    files
      .flatMap((file) => [file.cases[0]!, ...file.cases.filter(isRefused)])
      .filter((testCase) => !isTimed(testCase)),
  )

  const publicly = ({ request, publicRequest }: ConformanceCase) => ({
    path: '/v1/flows/{publicId}/startChat',
    definitionIsPublished: true,
    payload: { ...request, ...publicRequest },
  })
  const asPreview = ({ definition, request, previewRequest }: ConformanceCase) => ({
    path: '/v1/flows/{flowId}/preview/startChat',
    definitionIsPublished: false,
    payload: { flow: definition, ...request, ...previewRequest },
  })

  it.each([
    ['public', '/v1/flows/{publicId}/startChat'],
    ['preview', '/v1/flows/{flowId}/preview/startChat'],
  ] as const)('holds for every %s answer that the conformance cases expect', async (endpoint, path) => {
    const errorsOf = await readServedSchemas((await buildTestApp()).app)
    const check = (described: string, { description }: ConformanceCase, body: unknown) => {
      const contentType = 'application/json'
      const errors = errorsOf({ path: described, status: 200, contentType, body })
      expect({ case: description, errors }).toEqual({ case: description, errors: [] })
    }
    expect(cases.length).toBeGreaterThan(500)
    for (const testCase of cases) {
      check(path, testCase, wholeResponse(testCase, endpoint))
      for (const turn of testCase.then ?? []) {
        if (turn.error) continue
        check('/v1/sessions/{sessionId}/continueChat', testCase, responseOfTurn(turn, endpoint))
      }
    }
  })

  it.each([
    ['public', publicly],
    ['preview', asPreview],
  ] as const)(
    'holds for the %s answers to a case of each file, and to those that are refused',
    async (_name, requestOf) => {
      let current = createTestChat().chat
      const { app } = await buildTestApp({
        chat: {
          ...current,
          startPublished: (request) => current.startPublished(request),
          startPreview: (request) => current.startPreview(request),
          continue: (request) => current.continue(request),
        },
      })
      const errorsOf = await readServedSchemas(app)
      for (const testCase of sent) {
        const { path, definitionIsPublished, payload } = requestOf(testCase)
        const { definition, linked = [] } = testCase
        const definitions = definitionIsPublished ? [definition, ...linked] : linked
        current = createTestChat(definitions, { random: testCase.random }).chat
        const publicId = String(definition['publicId'] ?? definition['id'])
        const url = path.replace(/\{\w+\}/, encodeURIComponent(publicId))
        const send = async (to: { path: string; url: string }, sent: object, expected: number) => {
          const answer = await app.inject({ method: 'POST', url: to.url, payload: sent })
          const contentType = String(answer.headers['content-type']).replace('; charset=utf-8', '')
          const body = answer.json()
          const errors = errorsOf({ path: to.path, status: answer.statusCode, contentType, body })
          expect({ case: testCase.description, status: answer.statusCode, errors }).toEqual({
            case: testCase.description,
            status: expected,
            errors: [],
          })
          return body
        }
        const { sessionId } = await send({ path, url }, payload, 200)
        const next = {
          path: '/v1/sessions/{sessionId}/continueChat',
          url: `/v1/sessions/${sessionId}/continueChat`,
        }
        for (const { request, error } of testCase.then ?? [])
          await send(next, request ?? {}, error?.status ?? 200)
      }
    },
  )

  it('holds for refusals', async () => {
    const { app, post } = await startService([flow, { ...flow, id: 'shut', isClosed: true }])
    const errorsOf = await readServedSchemas(app)
    for (const [url, path, payload] of [
      [publicStart, '/v1/flows/{publicId}/startChat', { message: 5 }],
      ['/v1/flows/shut/startChat', '/v1/flows/{publicId}/startChat', {}],
      ['/v1/flows/gone/startChat', '/v1/flows/{publicId}/startChat', {}],
      [previewStart, '/v1/flows/{flowId}/preview/startChat', { flow: {} }],
      [previewStart, '/v1/flows/{flowId}/preview/startChat', {}],
    ] as const) {
      const response = await post(url, payload)
      const status = response.statusCode
      expect(status).toBeGreaterThanOrEqual(400)
      const contentType = 'application/problem+json'
      expect(errorsOf({ path, status, contentType, body: response.json() })).toEqual([])
    }
  })

  it('would have noticed an answer that is not as described', async () => {
    const { app } = await startService()
    const errorsOf = await readServedSchemas(app)
    const answer = { path: '/v1/flows/{publicId}/startChat', status: 200, contentType: 'application/json' }
    expect(errorsOf({ ...answer, body: { sessionId: 5 } })).not.toEqual([])
    const whole = {
      sessionId: 's',
      resultId: 'r',
      messages: [],
      flow: { id: 'x', version: '6', theme: {}, settings: {} },
    }
    expect(errorsOf({ ...answer, body: whole })).toEqual([])
    expect(errorsOf({ ...answer, body: { ...whole, extra: 1 } })).not.toEqual([])
    expect(errorsOf({ ...answer, body: { ...whole, messages: [{ id: 'm', type: 'text' }] } })).not.toEqual([])
  })
})

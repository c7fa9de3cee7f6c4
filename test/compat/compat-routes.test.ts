import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sessionNotFound } from '../../src/conversations/session/open-session.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { textInput } from '../fixtures/short-flows.ts'
import { openUploadWorld } from '../fixtures/uploading.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp, failingChat, recordingChat } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { createTestChat } from '../support/start.ts'

const on = { compat: { trustedViewerOrigins: ['https://viewer.example'] } }

const flow: Json = {
  version: '6.1',
  id: 'flow-1',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      blocks: [
        {
          id: 'b1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Your name?' }] }] },
        },
        { id: 'b2', type: 'text input', options: { variableId: 'v1' } },
        {
          id: 'b3',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Hi {{Name}}' }] }] },
        },
      ],
    },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: [{ id: 'v1', name: 'Name' }],
  settings: {},
  theme: {},
}

async function serve(more: Parameters<typeof buildTestApp>[0] = {}, definitions: readonly Json[] = [flow]) {
  const { chat } = createTestChat(definitions)
  const { app, logLines } = await buildTestApp({ chat, ...more, config: { ...on, ...more.config } })
  const post = async (url: string, payload: object = {}, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url, payload, headers })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
  return { app, logLines, post }
}

const texts = (body: Json) =>
  (body['messages'] as { content: { richText: { children: { text: string }[] }[] } }[]).flatMap(
    ({ content }) => content.richText.flatMap(({ children }) => children.map(({ text }) => text)),
  )

describe('starts', () => {
  it('answers with the flow under the name that these clients know', async () => {
    const { post } = await serve()
    const { status, body } = await post('/api/v1/typebots/flow-1/startChat')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      sessionId: 'session-1',
      resultId: 'result-1',
      typebot: { id: 'flow-1', version: '6.1', settings: {}, theme: {} },
      input: { type: 'text input' },
    })
    expect(body).not.toHaveProperty('flow')
    const next = await post('/api/v1/sessions/session-1/continueChat', { message: 'Ada' })
    expect(texts(next.body)).toEqual(['Hi ', 'Ada'])
  })

  it('leaves what only looks like the name of the flow as it is', async () => {
    const { post } = await serve()
    const sessionId = ',"flow":{'
    const { body } = await post('/api/v1/typebots/any/preview/startChat', { typebot: flow, sessionId })
    expect(body).toMatchObject({ sessionId, typebot: { id: 'flow-1' } })
  })

  it('runs a definition, and the draft stays with its session', async () => {
    const { post } = await serve()
    const { body } = await post('/api/v1/typebots/any/preview/startChat', { typebot: flow })
    const next = await post(`/api/v1/sessions/${body.sessionId}/continueChat`, { message: 'Ada' })
    expect(texts(next.body)).toEqual(['Hi ', 'Ada'])
  })

  it.each([{}, { typebot: 'flow-1' }])('runs the published flow with the token for %j', async (payload) => {
    const { post } = await serve({ config: { previewToken: 'secret' } })
    const url = '/api/v1/typebots/flow-1/preview/startChat'
    expect(await post(url, payload)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(await post(url, payload, { authorization: 'Bearer secret' })).toMatchObject({
      status: 200,
      body: { typebot: { id: 'flow-1' } },
    })
  })

  it('points into the definition as it was sent', async () => {
    const { post } = await serve()
    const { body } = await post('/api/v1/typebots/any/preview/startChat', { typebot: { ...flow, groups: 5 } })
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      data: { issues: [{ path: ['typebot', 'groups'], message: 'must be array' }] },
    })
  })

  it('says what is not there in the words that clients know', async () => {
    const { post } = await serve()
    expect(await post('/api/v1/typebots/none/startChat')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { code: 'NOT_FOUND', defined: true, message: 'Typebot not found' },
    })
  })

  it.each<[string, 'ended' | 'expired' | 'unknown', string]>([
    ['/api/v1/sessions/s/continueChat', 'unknown', 'Session not found.'],
    ['/api/v1/sessions/s/continueChat', 'ended', 'Session not found.'],
    ['/api/v1/sessions/s/continueChat', 'expired', 'Session expired. You need to start a new session.'],
    ['/api/v1/sessions/s/clientLogs', 'unknown', 'Session not found.'],
    ['/api/v2/sessions/s/clientLogs', 'unknown', 'Session not found.'],
    ['/api/v1/sendMessage', 'ended', 'Session expired. You need to start a new session.'],
    ['/api/v2/sendMessage', 'expired', 'Session expired. You need to start a new session.'],
    ['/api/v1/sessions/s/updateTypebot', 'unknown', 'Session not found'],
  ])('says at %s of a session that is %s: %s', async (url, reason, message) => {
    const config = { adminTokens: adminTokens('adm1n') }
    const { post } = await serve({ chat: failingChat(sessionNotFound(reason)), config })
    const payload = { sessionId: 's', message: 'x', clientLogs: [{ description: 'x' }] }
    const headers = { authorization: 'Bearer adm1n' }
    expect(await post(url, payload, headers)).toMatchObject({
      status: 404,
      body: { defined: true, code: 'NOT_FOUND', message },
    })
  })

  it('tells errors that were thrown from what is no request', async () => {
    const { app, post } = await serve()
    const malformed = await app.inject({
      method: 'POST',
      url: '/api/v1/sessions/s/continueChat',
      headers: { 'content-type': 'application/json' },
      payload: '{"message":',
    })
    expect(malformed.json()).toMatchObject({ defined: false, code: 'BAD_REQUEST' })
    const wrong = await post('/api/v1/sessions/s/continueChat', { message: 5 })
    expect(wrong.body).toMatchObject({ defined: true, code: 'BAD_REQUEST', data: { issues: [{}] } })
  })

  it('has the lists of actions and logs in each turn, empty or not', async () => {
    const listening = wholeDefinition({
      blocks: [textInput('i1'), { id: 'w', type: 'webhook' }, textInput('i2')],
    })
    const { post } = await serve({}, [listening])
    const started = await post('/api/v2/sendMessage', { startParams: { typebot: 'flow-1' } })
    expect(started.body).toMatchObject({ clientSideActions: [], logs: [] })
    const url = '/api/v1/sessions/session-1/continueChat'
    const acting = await post(url, { message: '"logs":[' })
    expect(acting.body).toMatchObject({ clientSideActions: [{ type: 'listenForWebhook' }], logs: [] })
    const said = await post('/api/v1/sendMessage', { sessionId: 'session-1', message: '{}' })
    expect(said.body).toMatchObject({ input: { id: 'i2' }, clientSideActions: [], logs: [] })
  })

  it('takes the origin from a viewer that is trusted, and from nobody else', async () => {
    const guarded = { ...flow, settings: { security: { allowedOrigins: ['https://shop.example'] } } }
    const { post } = await serve({}, [guarded])
    const start = async (origin: string) => {
      const headers = { origin, 'x-typebot-iframe-referrer-origin': 'https://shop.example' }
      return (await post('/api/v1/typebots/flow-1/startChat', {}, headers)).status
    }
    expect(await start('https://viewer.example')).toBe(200)
    expect(await start('https://evil.example')).toBe(403)
  })
})

describe.each(['v1', 'v2'])('%s/sendMessage', (version) => {
  const url = `/api/${version}/sendMessage`

  it('has models answer whole, as its clients show nothing of a stream', async () => {
    const { chat, published } = recordingChat()
    const { post } = await serve({ chat })
    await post(url, { startParams: { typebot: 'flow-1', isStreamEnabled: true } })
    expect(published).toMatchObject([{ publicId: 'flow-1', body: {} }])
    expect(published[0]?.body).not.toHaveProperty('isStreamEnabled')
  })

  it.each([{ typebot: 'flow-1' }, { publicId: 'flow-1' }])(
    'starts with %j and goes on',
    async (startParams) => {
      const { post } = await serve()
      const { body } = await post(url, { startParams })
      expect(body).toMatchObject({ sessionId: 'session-1', resultId: 'result-1', typebot: { id: 'flow-1' } })
      expect(texts((await post(url, { sessionId: 'session-1', message: 'Ada' })).body)).toEqual([
        'Hi ',
        'Ada',
      ])
      expect((await post(url, { sessionId: 'session-1', message: 'more', startParams })).status).toBe(404)
    },
  )

  it('starts anew for a session that was never there', async () => {
    const { post } = await serve()
    const body = {
      sessionId: 'unheard-of',
      message: null,
      startParams: { typebot: 'flow-1', resultId: null },
    }
    expect((await post(url, body)).body).toMatchObject({ typebot: { id: 'flow-1' } })
  })

  it.each([{}, { sessionId: 'unheard-of', message: 'x' }])('refuses %j', async (body) => {
    const { post } = await serve()
    expect(await post(url, body)).toMatchObject({ status: 400, body: { message: 'Missing startParams' } })
  })

  it('runs previews for those with the token', async () => {
    const { post } = await serve({ config: { previewToken: 'secret' } })
    for (const startParams of [
      { typebot: flow },
      { typebot: 'flow-1', isPreview: true, startGroupId: 'g1' },
    ]) {
      expect((await post(url, { startParams })).status).toBe(401)
      const known = await post(url, { startParams }, { authorization: 'Bearer secret' })
      expect(known).toMatchObject({ status: 200, body: { typebot: { id: 'flow-1' } } })
      expect(known.body).not.toHaveProperty('resultId')
    }
  })

  it('refuses previews while as many strangers wait as may', async () => {
    const { post } = await serve({ heavyPreviews: { admit: () => false } })
    expect((await post(url, { startParams: { typebot: flow } })).status).toBe(503)
  })

  it('keeps the logs that come along', async () => {
    const world = createTestChat([flow])
    const { post } = await serve({ chat: world.chat })
    const { body } = await post(url, { startParams: { typebot: 'flow-1' } })
    const clientLogs = [{ description: 'No', details: { line: 3 } }]
    await post(url, { sessionId: body.sessionId, message: 'Ada', clientLogs })
    const result = await world.results.get('flow-1', body.resultId)
    expect(result?.logs).toMatchObject([{ description: 'No', details: '{"line":3}' }])
  })
})

describe('what goes on', () => {
  async function* recordsOf(...records: readonly string[]) {
    yield* records
  }
  const streaming = (records: AsyncIterable<string>) => ({
    chat: { ...recordingChat().chat, streamMessage: async () => records },
  })

  it.each([
    ['/api/v1/sessions/s1/streamMessage', 'a\nbé'],
    ['/api/integrations/openai/streamer', 'a\nbé'],
    ['/api/v2/sessions/s1/streamMessage', '0:"a\\n"\n0:"bé"\n'],
  ])('streams from %s', async (url, text) => {
    const { app } = await serve(streaming(recordsOf('0:"a\\n"\n0:"b', 'é"\nd:{}\n')))
    const response = await app.inject({ method: 'POST', url, payload: { sessionId: 's1' } })
    expect(response.body).toBe(text)
  })

  it.each([
    [{}, 'No session ID provided'],
    [{ sessionId: 'none' }, 'No state found'],
  ])('answers %j at the streamer with 400', async (payload, message) => {
    const { post } = await serve()
    expect(await post('/api/integrations/openai/streamer', payload)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  it('keeps logs whose details are any JSON', async () => {
    const world = createTestChat([flow])
    const { post } = await serve({ chat: world.chat })
    await post('/api/v1/typebots/flow-1/startChat')
    const clientLogs = [{ description: 'No', details: ['x'.repeat(5000)], context: 7 }]
    expect((await post('/api/v1/sessions/session-1/clientLogs', { clientLogs })).status).toBe(200)
    expect((await world.results.get('flow-1', 'result-1'))?.logs?.[0]?.details).toMatch(/^\["x{900,1001}/)
    expect((await post('/api/v2/sessions/session-1/clientLogs', { clientLogs })).status).toBe(400)
  })

  it('moves sessions and takes webhooks for the operator alone', async () => {
    const { post } = await serve({
      chat: recordingChat().chat,
      config: { adminTokens: adminTokens('adm1n'), previewToken: 'pr3view' },
    })
    for (const [url, message] of [
      ['/api/v1/sessions/s1/updateTypebot', 'success'],
      ['/api/v1/typebots/f/blocks/b/results/r/executeWebhook', 'OK'],
      ['/api/v1/typebots/f/blocks/b/web/executeTestWebhook', 'OK'],
    ] as const) {
      expect((await post(url)).status).toBe(401)
      expect((await post(url, {}, { authorization: 'Bearer adm1n' })).body).toEqual({ message })
    }
  })

  it('refuses test calls where no preview can hear one', async () => {
    const { post } = await serve({
      chat: recordingChat().chat,
      config: { adminTokens: adminTokens('adm1n') },
    })
    const url = '/api/v1/typebots/f/blocks/b/web/executeTestWebhook'
    const { status, body } = await post(url, {}, { authorization: 'Bearer adm1n' })
    expect([status, body.message]).toEqual([403, expect.stringContaining('PREVIEW_TOKEN')])
  })

  it.each([
    ['GET', '/api/users/me'],
    ['GET', '/api/typebots/f/webhookBlocks'],
    ['POST', '/api/v1/templates/t/preview/startChat'],
  ] as const)('says that there is no builder: %s %s', async (method, url) => {
    const { app } = await serve()
    const { statusCode, body } = await app.inject({ method, url })
    const message = 'Not found: this service runs flows, and has none of the routes of a builder'
    expect([statusCode, JSON.parse(body)]).toEqual([
      404,
      { defined: false, code: 'NOT_FOUND', status: 404, message },
    ])
  })

  it.each(['/healthz', '/api/healthz'])('is alive at %s', async (url) => {
    const { app } = await serve({ chat: failingChat(new ServiceError('NOT_FOUND', 'No.')) })
    expect((await app.inject({ url })).json()).toEqual({ status: 'ok' })
  })
})

describe('the routes of this service beside them', () => {
  /** Each route by its last part, its method and the hooks that run for it. */
  const routesOf = (app: Awaited<ReturnType<typeof serve>>['app']) =>
    app
      .printRoutes({ includeHooks: true, commonPrefix: false })
      .replaceAll(/[├└│─]/g, '')
      .split(/\n(?! *•)/)
      .map((route) => /^(.*?) \(([A-Z, ]+)\)(.*)$/.exec(route.replaceAll(/\s+/g, ' ').trim()) ?? [])
      .flatMap(([, path, methods = '', hooks]) =>
        methods.split(', ').map((method) => `${method} ${path}${hooks}`),
      )

  it('run nothing more than where these are off', async () => {
    const { app } = await buildTestApp({ chat: recordingChat().chat })
    const both = await serve({ chat: recordingChat().chat })
    const left = routesOf(both.app)
    expect(routesOf(app).filter((route) => !takeFrom(left, route))).toEqual([])
    expect(left.length).toBeGreaterThan(20)
  })

  const takeFrom = (routes: string[], route: string) => {
    const at = routes.indexOf(route)
    return at >= 0 && routes.splice(at, 1).length > 0
  }
})

describe('uploads', () => {
  async function serveUploads(fileBytes = 1024 * 1024) {
    const world = await openUploadWorld({ block: { type: 'file input' }, fileBytes })
    const { app, post } = await serve({ chat: world.world.chat, uploads: world.uploads })
    const sessionId = await world.startLive()
    const offer = async (version: string) => {
      const body =
        version === 'v1'
          ? { filePathProps: { sessionId, fileName: 'a.png' }, fileType: 'image/png' }
          : { sessionId, fileName: 'a.png', fileType: 'image/png' }
      const headers = { host: 'flows.example' }
      const { body: made } = await post(`/api/${version}/generate-upload-url`, body, headers)
      const path = (url: string) => new URL(url).pathname
      return { to: path(made.presignedUrl), at: path(made.fileUrl), formData: made.formData }
    }
    const send = (url: string, payload: string, type = 'multipart/form-data; boundary=xx') =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    return { app, offer, send }
  }

  const part = (name: string, body: string) =>
    `--xx\r\ncontent-disposition: form-data; name="${name}"; filename="../a.png"\r\n\r\n${body}\r\n`
  const field = (name: string) => `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nv\r\n`
  const formOf = (...parts: readonly string[]) => `${parts.join('')}--xx--\r\n`

  it.each(['v1', 'v2', 'v3'])('takes a form at the address of the %s offer', async (version) => {
    const { app, offer, send } = await serveUploads()
    const { to, at, formData } = await offer(version)
    expect(formData).toEqual({})
    const form = formOf(field('key'), part('file', 'bytes'), field('late'))
    expect((await send(to, form)).statusCode).toBe(204)
    expect((await app.inject({ url: at })).body).toBe('bytes')
    expect((await send(to, form)).statusCode).toBe(409)
  })

  it.each([
    ['a form without the part', formOf(field('key')), 400],
    ['a form whose file has another name', formOf(part('other', 'x')), 400],
    ['a form that breaks off', `${part('file', 'by')}`.slice(0, -2), 400],
    ['a form that is none', 'hello', 400],
    ['an empty body', '', 400],
    ['a file that is too large', formOf(part('file', 'x'.repeat(300_000))), 413],
    ['another file before it', formOf(part('other', 'x'), part('file', 'x')), 400],
    ['too many fields', formOf(...Array(40).fill(field('k')), part('file', 'x')), 400],
  ])('refuses %s, and goes on', async (_name, form, status) => {
    const { offer, send } = await serveUploads(100_000)
    const { to } = await offer('v3')
    expect((await send(to, form)).statusCode).toBe(status)
    expect((await send(to, formOf(part('file', 'bytes')))).statusCode).toBe(204)
  })

  it.each([
    ['another content type', 'text/plain', 415],
    ['no boundary', 'multipart/form-data', 400],
  ])('refuses %s', async (_name, type, status) => {
    const { offer, send } = await serveUploads()
    expect((await send((await offer('v2')).to, 'x', type)).statusCode).toBe(status)
  })

  it('refuses an address that nobody signed', async () => {
    const { send } = await serveUploads()
    const forged = createHmac('sha256', 'x').update('x').digest('base64url')
    expect((await send(`/uploads/e30.${forged}`, formOf(part('file', 'x')))).statusCode).toBe(403)
  })
})

describe('without COMPAT_API', () => {
  it('knows none of it', async () => {
    const { app } = await serve({ config: { compat: undefined } })
    for (const url of [
      '/api/v1/typebots/flow-1/startChat',
      '/api/v1/sendMessage',
      '/api/healthz',
      '/healthz',
    ])
      expect((await app.inject({ method: 'POST', url })).statusCode, url).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/uploads/x' })).statusCode).toBe(405)
  })

  it('describes our own API alike', async () => {
    const describe = async (compat: typeof on.compat | undefined) =>
      (await (await serve({ config: { compat } })).app.inject({ url: '/openapi.json' })).json()
    expect(await describe(on.compat)).toEqual(await describe(undefined))
  })
})

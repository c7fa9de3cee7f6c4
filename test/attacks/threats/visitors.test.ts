import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenSpan } from '../../../src/ports/spans-port.ts'
import { signGrant } from '../../../src/uploads/upload-token.ts'
import { createUploads } from '../../../src/uploads/uploads-service.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { openUploadWorld } from '../../fixtures/uploading.ts'
import { authorCookie } from '../../support/author-cookie.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { openS3Uploads } from '../../support/s3/open-s3-uploads.ts'
import { startS3rver } from '../../support/s3/s3rver.ts'
import { createTestChat } from '../../support/start.ts'
import { openService, shownIn } from './open-service.ts'

const greeting = wholeDefinition({
  variables: [variable('Name')],
  blocks: [textInput('i1', 'vName'), bubble('b1', 'Hi {{Name}}'), textInput('i2')],
})

/** The server over files of visitors, and a session that waits for one. */
async function openUploads() {
  const world = await openUploadWorld({ block: { type: 'file input' } })
  const { app } = await buildTestApp({ uploads: world.uploads })
  const sessionId = await world.startLive()
  const ask = (fileType: string) =>
    app.inject({
      method: 'POST',
      url: '/v3/generate-upload-url',
      headers: { host: 'flows.example' },
      payload: { sessionId, fileType, fileName: '../../evil.html' },
    })
  const filesAround = async () =>
    (await readdir(join(world.folder, '..'), { recursive: true })).filter((path) => path.includes('.'))
  return { app, ask, filesAround, ...world }
}

/** The server over a bucket that clients send files to. */
async function openDirectUploads() {
  const { world, startLive } = await openUploadWorld({ block: { type: 'file input' } })
  const { files } = await openS3Uploads(await startS3rver(), { isDirect: true })
  const uploads = createUploads({ chat: world, files, secret: undefined, fileBytes: 1000 })
  const { app } = await buildTestApp({ uploads })
  const ask = (sessionId: string, fileSize: number) =>
    app.inject({
      method: 'POST',
      url: '/v3/generate-upload-url',
      headers: { host: 'flows.example' },
      payload: { sessionId, fileType: 'image/png', fileSize },
    })
  return { startLive, ask }
}

describe('threats by visitors and callers', () => {
  it('A preview takes the place of a live session', async () => {
    const { start, preview, say } = await openService([greeting])
    const { sessionId } = (await start()).body
    const flow = wholeDefinition({
      id: 'flow-2',
      blocks: [textInput('i1'), bubble('b1', 'smuggled'), textInput('i2')],
    })
    expect((await preview({ flow, sessionId })).body.sessionId).toBe(sessionId)
    expect(shownIn((await say(sessionId, 'Ada')).body)).toEqual(['Hi Ada'])
  })

  it('A browser says that it is somebody else', async () => {
    const contactSecret = 'of-the-operator-and-of-nobody-else'
    const remembering = wholeDefinition({
      variables: [variable('Name', { scope: 'contact' })],
      blocks: [bubble('b1', 'Hi {{Name}}'), textInput('i1', 'vName')],
    })
    const { start, say } = await openService([remembering], { adminToken: 'operator-1', contactSecret })
    const contact = { id: 'ann' }
    const own = await start({ contact }, { authorization: 'Bearer operator-1' })
    await say(own.body.sessionId, 'Ann')
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = part({ ...contact, exp: 1e10 })
    for (const header of [{ alg: 'none' }, { alg: 'HS256' }, { alg: 'HS512' }, {}]) {
      const contactToken = `${part(header)}.${payload}.${Buffer.from('').toString('base64url')}`
      expect((await start({ contactToken })).status).toBe(400)
    }
    expect((await start({ contact, resume: true })).status).toBe(400)
    const { status, body } = await start({ contact }, { authorization: 'Bearer guessed' })
    expect([status, body.contact, shownIn(body)]).toEqual([200, { id: 'ann', isVerified: false }, ['Hi ']])
    await say(body.sessionId, 'Mallory')
    const again = await start({ contact }, { authorization: 'Bearer operator-1' })
    expect(shownIn(again.body)).toEqual(['Hi Ann'])
  })

  it('An id is guessed', async () => {
    // Whoever knows the state of the ordinary generator knows all that comes from it.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { start } = await openService([greeting])
    const answers = await Promise.all(Array.from({ length: 50 }, () => start()))
    random.mockRestore()
    const ids = answers.flatMap(({ body: { sessionId, resultId } }) => [sessionId, resultId])
    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[\w-]{21,}$/)
  })

  it('Somebody without a token does what needs one', async () => {
    const tokens = { previewToken: 'preview-t0ken', adminToken: 'admin-t0ken' }
    const { app, start, preview } = await openService([greeting], tokens)
    const { sessionId, resultId } = (await start()).body
    const results = '/v1/flows/flow-1/results'
    for (const authorization of [
      '',
      'Bearer',
      'Bearer t0ken',
      'Bearer admin-t0ke',
      'Bearer admin-t0ken1',
      'Basic admin-t0ken',
    ]) {
      const statuses = [(await preview({ flow: greeting }, { authorization })).status]
      for (const [method, url] of [
        ['GET', results],
        ['GET', `${results}?format=csv`],
        ['GET', `${results}/count`],
        ['GET', `${results}/export`],
        ['GET', '/v1/flows/flow-1/analytics/export'],
        ['GET', `${results}/${resultId}`],
        ['DELETE', results],
        ['POST', `${results}/import`],
        ['PUT', '/v1/flows/flow-1'],
        ['PATCH', '/v1/flows/flow-1'],
        ['POST', '/v1/flows/flow-1/rollback'],
        ['DELETE', '/v1/flows/flow-1'],
        ['GET', '/v1/flows/flow-1'],
        ['GET', '/v1/audit'],
        ['POST', `/v1/sessions/${sessionId}/updateFlow`],
        ['POST', `/v1/flows/flow-1/blocks/i1/results/${resultId}/executeWebhook`],
      ] as const) {
        statuses.push((await app.inject({ method, url, headers: { authorization } })).statusCode)
      }
      expect([authorization, ...statuses]).toEqual([authorization, ...Array(17).fill(401)])
    }
  })

  it('A body is read and parsed before a wrong token is refused', async () => {
    const { app } = await openService([greeting], {
      previewToken: 'preview-t0ken',
      adminToken: 'admin-t0ken',
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    for (const path of [
      '/v1/flows/flow-1/preview/startChat',
      '/v1/flows/flow-1/blocks/i1/results/r1/executeWebhook',
      '/v1/sessions/s/updateFlow',
    ]) {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer t0ken\r\n`
      // Not a byte of the body is sent.
      socket.write(`${head}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n`)
      const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })
      expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    }
  })

  it('A proxy in front reads a request otherwise than the service', async () => {
    const { app } = await openService([greeting])
    await app.listen({ host: '127.0.0.1', port: 0 })
    const headers = [
      'host: a\r\nhost: b\r\ncontent-length: 2',
      'host: a\r\ncontent-length: 2\r\ncontent-length: 20',
      'host: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked',
    ]
    for (const unclear of headers) {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const head = `POST /v1/flows/flow-1/startChat HTTP/1.1\r\n${unclear}\r\n`
      socket.write(`${head}content-type: application/json\r\n\r\n{}`)
      const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  it('A preview is taken over by a caller who guesses the id that its author chose', async () => {
    const { preview, say, post } = await openService([greeting], { previewToken: 't0ken' })
    const token = { authorization: 'Bearer t0ken' }
    const { status } = await preview({ flow: greeting, sessionId: 'shop-draft-1' }, token)
    expect(status).toBe(200)
    const { body: own } = await preview({ flow: greeting }, token)
    for (const guess of [{}, { authorization: 'Bearer other' }]) {
      expect((await say('shop-draft-1', 'Eve', guess)).status).toBe(401)
      const upload = { sessionId: 'shop-draft-1', fileType: 'image/png' }
      for (const [url, body] of [
        ['/v2/sessions/shop-draft-1/streamMessage', {}],
        ['/v2/sessions/shop-draft-1/clientLogs', { clientLogs: [{ description: 'x' }] }],
        ['/v3/generate-upload-url', upload],
      ] as const) {
        const { status, text } = await post(url, body, guess)
        expect([url, status < 300, text.includes('Ada')]).toEqual([url, false, false])
      }
    }
    expect(shownIn((await say('shop-draft-1', 'Ada', token)).body)).toEqual(['Hi Ada'])
    // An id that the service made is a secret, and enough.
    expect(shownIn((await say(own.sessionId, 'Bob')).body)).toEqual(['Hi Bob'])
  })

  it('What was written down of a visitor is read by who holds the id of the session', async () => {
    const recordings = { maxLength: 100_000, live: { share: 1, isForErrors: false } }
    const { start, app } = await openService([greeting], { recordings, adminToken: 'admin-t0ken' })
    const { sessionId, resultId } = (await start()).body
    const read = (url: string, token?: string) =>
      app.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
    expect((await read(`/v1/sessions/${sessionId}/recording`)).statusCode).toBe(404)
    const ofResult = `/v1/flows/flow-1/results/${resultId}/recording`
    expect((await read(ofResult)).statusCode).toBe(401)
    expect((await read(ofResult, 'admin-t0ken')).json().turns).toHaveLength(1)
  })

  it('What visitors say reaches whoever collects spans', async () => {
    const told: unknown[] = []
    const open = (facts: unknown): OpenSpan => {
      told.push(facts)
      const note = (...more: unknown[]) => void told.push(more)
      return { traceparent: '', child: open, event: note, end: note }
    }
    const url = 'https://127.0.0.1:9/{{Name}}?name={{Name}}'
    const definition = wholeDefinition({
      variables: [variable('Name')],
      blocks: [
        textInput('i1', 'vName'),
        { id: 'w', type: 'Webhook', options: { webhook: { url } } },
        textInput('i2'),
      ],
    })
    const { start, say } = await openService([definition], {
      spans: { capturesMessages: false, propagatesTo: new Set(), begin: open },
    })
    const { sessionId } = (await start()).body
    await say(sessionId, 'L0velace')
    expect(JSON.stringify(told)).toContain('127.0.0.1')
    expect(JSON.stringify(told)).not.toContain('L0velace')
    expect(JSON.stringify(told)).not.toContain(sessionId)
  })

  it('An answer is given again to somebody else', async () => {
    const settings = { security: { allowedOrigins: ['https://shop.example'] } }
    const { preview, start } = await openService([{ ...greeting, settings }], { previewToken: 't0ken' })
    const key = { 'idempotency-key': '00000000-0000-4000-8000-000000000000' }
    const first = await preview({ flow: greeting }, { ...key, authorization: 'Bearer t0ken' })
    expect(first.status).toBe(200)
    const second = await preview({ flow: greeting }, key)
    expect(second.status).toBe(401)
    expect(second.text).not.toContain(first.body.sessionId)
    const started = await start({}, { ...key, origin: 'https://shop.example' })
    expect(started.status).toBe(200)
    const elsewhere = await start({}, { ...key, origin: 'https://evil.example' })
    expect(elsewhere.status).toBe(403)
    expect(elsewhere.text).not.toContain(started.body.sessionId)
  })

  it('A page of another site uses a flow', async () => {
    const settings = { security: { allowedOrigins: ['https://shop.example'] } }
    const { start, say, post } = await openService([{ ...greeting, settings }])
    const evil = { origin: 'https://shop.example.evil.example' }
    const good = { origin: 'https://shop.example' }
    expect((await start({}, evil)).status).toBe(403)
    const { body } = await start({}, good)
    expect((await say(body.sessionId, 'Eve', evil)).status).toBe(403)
    const logs = { clientLogs: [{ description: 'x' }] }
    expect((await post(`/v2/sessions/${body.sessionId}/clientLogs`, logs, evil)).status).toBe(403)
    expect(shownIn((await say(body.sessionId, 'Ada', good)).body)).toEqual(['Hi Ada'])
  })

  it('Somebody elsewhere is shown the pages that are meant for this machine', async () => {
    const { app } = await openService([greeting])
    // As the usual proxy sends what it was sent, whoever sent that.
    const here = { host: '127.0.0.1:3000' }
    const author = { ...here, cookie: await authorCookie(app) }
    for (const url of ['/', '/try', '/published-flows', '/published-flows/flow-1']) {
      const answer = await app.inject({ url, headers: here })
      expect([url, answer.statusCode]).toEqual([url, 403])
      expect(answer.body).not.toContain('groups')
      if (url !== '/published-flows/flow-1')
        expect((await app.inject({ url, headers: author })).statusCode).toBe(200)
    }
    const headers = { ...author, origin: 'https://evil.example' }
    expect((await app.inject({ url: '/published-flows', headers })).statusCode).toBe(404)
  })

  it('Somebody finds the address by which an author came', async () => {
    const { app } = await openService([greeting], { adminToken: 't0ken' })
    const headers = { host: '127.0.0.1:3000' }
    for (const page of ['/', '/try', '/results']) {
      const url = `${page}?token=${app.pageAccess.token}`
      expect((await app.inject({ url, headers })).statusCode).toBe(303)
      // Out of a history, a log of a proxy, or a picture of a terminal.
      const found = await app.inject({ url, headers })
      expect(found.statusCode).toBe(403)
      expect(found.headers).not.toHaveProperty('set-cookie')
      expect(found.body).toContain('the address that the service printed last')
    }
  })

  it('A page of another site reads results by the cookie of an author', async () => {
    const { app, start } = await openService([greeting], { adminToken: 't0ken' })
    await start()
    const url = '/v1/flows/flow-1/results'
    const author = { host: '127.0.0.1:3000', cookie: await authorCookie(app) }
    const ask = async (headers: object, method: 'GET' | 'DELETE' = 'GET', query = '') =>
      (await app.inject({ method, url: url + query, headers: { ...author, ...headers } })).statusCode
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    // Browsers take other ports of this machine for the same site.
    expect(await ask({ 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await ask({ origin: 'http://127.0.0.1:8080' })).toBe(401)
    expect(await ask({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await ask({ 'sec-fetch-site': 'same-origin' }, 'DELETE', '?all=true')).toBe(401)
    expect((await app.inject({ url: '/v1/audit', headers: author })).statusCode).toBe(401)
  })

  it('A script of a flow reaches the page of its visitors', async () => {
    const { app } = await openService([greeting])
    const headers = { host: 'localhost', cookie: await authorCookie(app) }
    const policy = async (url: string) =>
      (await app.inject({ url, headers })).headers['content-security-policy']
    expect(await policy('/script-frame')).toMatch(/^sandbox allow-scripts;/)
    for (const url of ['/', '/f/flow-1', '/try']) {
      expect(await policy(url)).toMatch(/script-src 'self'( 'sha256-[\w+/=]{44}')?;/)
      expect(await policy(url)).not.toContain('unsafe')
    }
  })

  it('A cell of a table is a formula', async () => {
    const { app, start, say } = await openService([greeting], { adminToken: 't0ken' })
    const { sessionId } = (await start()).body
    await say(sessionId, '=HYPERLINK("https://evil.example","go")')
    await say((await start()).body.sessionId, 'a;"=HYPERLINK("https://evil.example")')
    const headers = { authorization: 'Bearer t0ken' }
    const { statusCode, body } = await app.inject({ url: '/v1/flows/flow-1/results?format=csv', headers })
    expect(statusCode).toBe(200)
    expect(body).toContain(`,"'=HYPERLINK(`)
    expect(body).not.toMatch(/[,;"\n]=HYPERLINK/)
  })

  it('An upload leaves its folder', async () => {
    const { app, ask, filesAround } = await openUploads()
    const offered = (await ask('image/png')).json()
    expect(offered.fileUrl).not.toContain('evil')
    const grant = { maxBytes: 100, expiresAt: Number.MAX_SAFE_INTEGER }
    const forged = [
      `${offered.presignedUrl.slice(offered.presignedUrl.lastIndexOf('/') + 1).split('.')[0]}.`,
      signGrant(
        { ...grant, place: { owner: '..', name: 'evil.png', isPrivate: false } },
        'a secret of my own',
      ),
      signGrant({ ...grant, place: { owner: '../..', name: 'evil.png', isPrivate: false } }, ''),
    ]
    for (const token of forged) {
      const { statusCode } = await app.inject({ method: 'PUT', url: `/uploads/${token}`, payload: 'evil' })
      expect(statusCode).toBe(403)
    }
    for (const path of [
      '..%2f..%2fetc/passwd',
      '../../package.json',
      '..%2f/x.png',
      '%2e%2e/x.png',
      'private/..%2f..%2fx.png/y.png',
    ]) {
      const { statusCode } = await app.inject(`/uploads/${path}`)
      expect([path, [400, 401, 403, 404].includes(statusCode)]).toEqual([path, true])
    }
    expect(await filesAround()).toEqual([])
  })

  it('An uploaded file runs as a page', async () => {
    const { app, ask } = await openUploads()
    expect((await ask('text/html')).statusCode).toBe(400)
    const { presignedUrl, fileUrl } = (await ask('image/svg+xml')).json()
    const payload = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect(
      (await app.inject({ method: 'PUT', url: new URL(presignedUrl).pathname, payload })).statusCode,
    ).toBe(204)
    const { statusCode, headers } = await app.inject(new URL(fileUrl).pathname)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  it('A client sends the bucket another file than it was offered an address for', async () => {
    const { startLive, ask } = await openDirectUploads()
    const sessionId = await startLive()
    const { presignedUrl, fileUrl } = (await ask(sessionId, 5)).json()
    const query = new URL(presignedUrl).searchParams
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
    expect(query.get('X-Amz-Expires')).toBe('600')
    expect(fileUrl).toMatch(/^http:\/\/flows\.example\/uploads\//)
    const further = await Promise.all(Array.from({ length: 30 }, () => ask(sessionId, 5)))
    expect(further.filter(({ statusCode }) => statusCode === 200)).toHaveLength(19)
  })

  it('A body is too large or too deep', async () => {
    const { post } = await openService([greeting])
    const large = await post('/v1/flows/flow-1/startChat', { message: 'x'.repeat(1024 * 1024) })
    expect(large).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const draft = (levels: number) =>
      JSON.stringify({ flow: { ...greeting, theme: { customCss: 'here' } } }).replace(
        '"here"',
        nested(levels),
      )
    expect((await post('/v1/flows/flow-1/preview/startChat', draft(50_000))).status).toBe(400)
    const tooDeep = await post('/v1/flows/flow-1/preview/startChat', draft(200))
    expect(tooDeep).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'must not lie deeper than 128 levels' }] },
    })
    const wide = JSON.stringify({ flow: { ...greeting, theme: { x: Array(270_000).fill(0) } } })
    expect((await post('/v1/flows/flow-1/preview/startChat', wide)).status).toBe(400)
    const prefilled = (levels: number) => `{"prefilledVariables":{"Name":${nested(levels)}}}`
    expect((await post('/v1/flows/flow-1/startChat', prefilled(200))).status).toBe(200)
    expect((await post('/v1/flows/flow-1/startChat', prefilled(50_000))).status).toBe(400)
  })

  it('The log shows what was said, who said it and what is kept', async () => {
    const broken = () => JSON.parse('{"said": hush}') as never
    const { start, say, logLines, world } = await openService([greeting], {
      definitions: createTestChat().definitions,
    })
    const { sessionId, resultId } = (await start({ prefilledVariables: { Name: 'hush' } })).body
    Object.assign(world.results, { apply: broken })
    expect(
      (await say(sessionId, 'hush', { authorization: 'Bearer hush', 'x-forwarded-for': 'hush' })).status,
    ).toBe(500)
    expect((await say('hush', 'hush')).status).toBe(404)
    expect(logLines.map(({ msg }) => msg)).toContain('request failed')
    const log = JSON.stringify(logLines)
    for (const secret of ['hush', sessionId, resultId]) expect(log).not.toContain(secret)
  })

  it('An error shows what is inside', async () => {
    const failure = new Error('connect postgres://service:hush@10.0.0.7/flows failed')
    const published = { ...createTestChat([greeting]).published, byPublicId: () => Promise.reject(failure) }
    const { start } = await openService([], { published })
    const { status, body, text, headers } = await start()
    expect([status, body.message]).toEqual([500, 'Internal server error'])
    expect(text + JSON.stringify(headers)).not.toMatch(
      /hush|postgres|10\.0\.0\.7|src\/|node_modules|fastify/i,
    )
  })
})

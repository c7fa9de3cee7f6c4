import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { anonymous } from '../../src/ports/caller.ts'
import { openUploadWorld, type UploadWorld } from '../fixtures/uploading.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'

const fileInput = (options?: object) => ({ type: 'file input', ...(options && { options }) })
const host = 'flows.example:8080'
const mebibyte = 1024 * 1024

/** A server with a session that waits for a file. */
async function serve({ adminToken, ...given }: Partial<UploadWorld> & { adminToken?: string } = {}) {
  const world = await openUploadWorld({ block: fileInput(), ...given })
  const { app, logLines } = await buildTestApp({
    uploads: world.uploads,
    config: { adminTokens: adminTokens(adminToken) },
  })
  const sessionId = await world.startLive()

  async function ask(body: object = { fileType: 'image/png' }, headers = {}) {
    const payload = { sessionId, ...body }
    return app.inject({
      method: 'POST',
      url: '/v3/generate-upload-url',
      headers: { host, ...headers },
      payload,
    })
  }

  /** Asks for an address, and takes the paths out of the answer. */
  async function askForPaths(body?: object) {
    const { presignedUrl, fileUrl } = (await ask(body)).json()
    return { put: new URL(presignedUrl).pathname, get: new URL(fileUrl).pathname }
  }

  async function upload(payload: string | Buffer, body?: object) {
    const { put, get } = await askForPaths(body)
    const response = await app.inject({ method: 'PUT', url: put, payload })
    return { response, url: get }
  }

  return { ...world, app, logLines, ask, askForPaths, upload }
}

describe('POST /v3/generate-upload-url', () => {
  it.each([
    [fileInput(), { fileType: 'text/html' }, '/fileType', /^is kept of no file: .*, and pack another kind/],
    [fileInput(), { fileType: 'x/y' }, '/fileType', /^is kept of no file/],
    [
      fileInput({ allowedFileTypes: { isEnabled: true, types: ['.pdf', 'image/png'] } }),
      { fileName: 'a.zip' },
      '/fileType',
      'is not taken by the input that waits: send a file of pdf, png',
    ],
    [fileInput(), { fileSize: 9e9 }, '/fileSize', `must be <= ${mebibyte}`],
    [fileInput(), { sessionId: 'other' }, '/sessionId', /^is of no session/],
    [{ type: 'email input' }, {}, '/sessionId', /waits for no file/],
  ])(
    'names the place of what it refuses, and what to send instead: %j %j',
    async (block, body, pointer, message) => {
      const { ask } = await serve({ block })
      const response = await ask(body)
      expect(response.statusCode).toBe(400)
      expect(response.json().errors).toEqual([
        { pointer, message: typeof message === 'string' ? message : expect.stringMatching(message) },
      ])
    },
  )

  it('answers with addresses where the request found the service', async () => {
    const { ask } = await serve()
    const response = await ask()
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({
      presignedUrl: expect.stringMatching(/^http:\/\/flows\.example:8080\/uploads\/[\w-]+\.[\w-]+$/),
      formData: {},
      fileType: 'image/png',
      maxFileSize: 1,
      fileUrl: expect.stringMatching(/^http:\/\/flows\.example:8080\/uploads\/[\da-f]{32}\/upload-1\.png$/),
    })
  })

  it('asks the origin', async () => {
    const settings = { security: { allowedOrigins: ['https://good.example'] } }
    const { ask } = await serve({ definition: { settings } })
    const response = await ask(undefined, { origin: 'https://bad.example' })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ code: 'FORBIDDEN', message: 'Origin not allowed' })
  })

  it.each([
    [{ sessionId: undefined }, ''],
    [{ sessionId: 5 }, '/sessionId'],
    [{ fileSize: -1 }, '/fileSize'],
    [{ fileSize: '10' }, '/fileSize'],
    [{ fileType: null }, '/fileType'],
  ])('refuses %j', async (body, pointer) => {
    const { ask } = await serve()
    const response = await ask(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message: 'Input validation failed', errors: [{ pointer }] })
  })

  it('takes JSON only', async () => {
    const { app } = await serve()
    const response = await app.inject({
      method: 'POST',
      url: '/v3/generate-upload-url',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(response.statusCode).toBe(415)
  })

  it('refuses every file where there is no place for any', async () => {
    const { app } = await buildTestApp()
    const payload = { sessionId: 'session-1', fileType: 'image/png' }
    const response = await app.inject({ method: 'POST', url: '/v3/generate-upload-url', payload })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('takes no files')
  })
})

describe('PUT /uploads/{token}', () => {
  it.each([
    undefined,
    'image/png',
    'application/json',
    'text/html; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'foo',
    '',
    'a/b/c; =',
  ])('keeps the bytes as they come, called %s', async (contentType) => {
    const { app, askForPaths } = await serve()
    const { put, get } = await askForPaths()
    const payload = Buffer.from([0x7b, 0x00, 0xff, 0x0d, 0x0a])
    const headers = contentType === undefined ? {} : { 'content-type': contentType }
    const response = await app.inject({ method: 'PUT', url: put, headers, payload })
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect((await app.inject(get)).rawPayload).toEqual(payload)
  })

  it('keeps an empty file', async () => {
    const { app, askForPaths } = await serve()
    const { put, get } = await askForPaths()
    expect((await app.inject({ method: 'PUT', url: put })).statusCode).toBe(204)
    const response = await app.inject(get)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
  })

  it('keeps files that are larger than other requests may be', async () => {
    const { app, upload } = await serve({ fileBytes: 3 * mebibyte })
    const { response, url } = await upload(Buffer.alloc(3 * mebibyte, 1))
    expect(response.statusCode).toBe(204)
    expect((await app.inject(url)).rawPayload).toHaveLength(3 * mebibyte)
  })

  it.each([
    ['an address that nobody gave out', async () => '/uploads/x.y', 403, 'FORBIDDEN'],
    ['a file that is too large', undefined, 413, 'PAYLOAD_TOO_LARGE'],
  ])('refuses %s with a problem document', async (_, url, status, code) => {
    const { app, askForPaths } = await serve({ fileBytes: 10 })
    const path = url ? await url() : (await askForPaths()).put
    const response = await app.inject({ method: 'PUT', url: path, payload: 'x'.repeat(11) })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toMatchObject({ status, code })
  })

  it('refuses a second file', async () => {
    const { app, askForPaths } = await serve()
    const { put, get } = await askForPaths()
    await app.inject({ method: 'PUT', url: put, payload: 'one' })
    const response = await app.inject({ method: 'PUT', url: put, payload: 'two' })
    expect(response.statusCode).toBe(409)
    expect((await app.inject(get)).body).toBe('one')
  })

  it('says when to come back while there is no room, and reports it to the operator', async () => {
    const { upload, logLines } = await serve({ totalBytes: 5000 })
    const { response } = await upload('x'.repeat(2000))
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('1')
    expect(logLines.find(({ msg }) => msg === 'request failed')).toMatchObject({
      err: { message: expect.stringContaining('UPLOADS_MAX_BYTES') },
    })
  })

  it('can be used from the pages of other sites', async () => {
    const { app, askForPaths } = await serve()
    const { put } = await askForPaths()
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    }
    const preflight = await app.inject({ method: 'OPTIONS', url: put, headers })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT')
    const response = await app.inject({ method: 'PUT', url: put, headers, payload: 'x' })
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })

  it('is logged without its token', async () => {
    const { upload, logLines } = await serve()
    await upload('x')
    expect(logLines.at(-1)).toMatchObject({ method: 'PUT', route: '/uploads/:token', status: 204 })
    expect(JSON.stringify(logLines)).not.toMatch(/[\w-]{20}\.[\w-]{20}/)
  })
})

describe('an upload over a connection', () => {
  async function listen(given: Partial<UploadWorld> = {}) {
    const server = await serve(given)
    const url = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
    return { ...server, port: Number(url.port) }
  }

  it.each([
    ['is too large', undefined, 413, 'PAYLOAD_TOO_LARGE'],
    ['goes nowhere', '/uploads/x.y', 403, 'FORBIDDEN'],
  ])('gets its answer when it %s, however much is still to come', async (_, path, status, code) => {
    const { port, askForPaths, folder } = await listen({ fileBytes: 100_000 })
    const body = new Blob([Buffer.alloc(20 * mebibyte)])
    const url = `http://127.0.0.1:${port}${path ?? (await askForPaths()).put}`
    const response = await fetch(url, { method: 'PUT', body })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
    expect(await filesIn(folder)).toEqual([])
  })

  it('leaves nothing when it breaks off, and is no defect', async () => {
    const { port, askForPaths, folder, logLines } = await listen()
    const { put } = await askForPaths()
    const socket = connect(port, '127.0.0.1')
    socket.write(`PUT ${put} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf`)
    await vi.waitFor(async () =>
      expect(await filesIn(folder)).toEqual([expect.stringMatching(/^upload-1\.png\.[\w-]+\.part$/)]),
    )
    socket.destroy()
    await vi.waitFor(async () => expect(await filesIn(folder)).toEqual([]))
    await setTimeout(50)
    expect(logLines.map(({ msg }) => msg)).not.toContain('request failed')
  })

  it.each([
    ['without a host', ''],
    ['with an empty host', 'host:\r\n'],
    ['with a host that makes no address', 'host: a/b\r\n'],
  ])('is not offered to a request %s, as nobody would find the file', async (_, hostLine) => {
    const { port } = await listen()
    const body = JSON.stringify({ sessionId: 'session-1', fileType: 'image/png' })
    const socket = connect(port, '127.0.0.1')
    const lines = ['content-type: application/json', `content-length: ${body.length}`]
    socket.write(`POST /v3/generate-upload-url HTTP/1.0\r\n${hostLine}${lines.join('\r\n')}\r\n\r\n${body}`)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('PUBLIC_URL')
  })

  it('can be sent again while the line that was dropped is still open', async () => {
    const { port, app, askForPaths, folder } = await listen()
    const { put, get } = await askForPaths()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`PUT ${put} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf`)
    await vi.waitFor(async () => expect(await filesIn(folder)).toHaveLength(1))
    const response = await app.inject({ method: 'PUT', url: put, payload: 'whole' })
    expect(response.statusCode).toBe(204)
    expect((await app.inject(get)).body).toBe('whole')
  })

  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
})

describe('GET /uploads/{owner}/{name}', () => {
  const common = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    'content-length': '7',
  }

  it.each([
    ['image/png', 'image/png', 'inline'],
    ['audio/webm', 'video/webm', 'inline'],
    ['image/svg+xml', 'image/svg+xml', 'attachment; filename="upload-1.svg"'],
    ['application/pdf', 'application/pdf', 'attachment; filename="upload-1.pdf"'],
    ['application/javascript', 'application/javascript', 'attachment; filename="upload-1.js"'],
    ['text/csv', 'text/csv', 'attachment; filename="upload-1.csv"'],
    ['text/plain', 'text/plain', 'attachment; filename="upload-1.txt"'],
    ['', 'application/octet-stream', 'attachment; filename="upload-1.bin"'],
  ])('serves %s so that it can do no harm', async (fileType, contentType, disposition) => {
    const { app, upload } = await serve()
    const { url } = await upload('content', { fileType })
    const { statusCode, headers, body } = await app.inject(url)
    expect(statusCode).toBe(200)
    expect(body).toBe('content')
    expect(headers).toMatchObject({
      ...common,
      'content-type': contentType,
      'content-disposition': disposition,
      'cache-control': 'private, max-age=3600',
    })
  })

  it('answers HEAD as GET, without the content', async () => {
    const { app, upload } = await serve()
    const { url } = await upload('content')
    const get = await app.inject(url)
    const head = await app.inject({ method: 'HEAD', url })
    const { 'x-request-id': _, date: __, ...headers } = get.headers
    expect(head.statusCode).toBe(200)
    expect(head.headers).toMatchObject({ ...common, 'content-type': headers['content-type'] })
    expect(head.body).toBe('')
  })

  it('answers HEAD with the whole, whatever part it asks for', async () => {
    const { app, upload } = await serve()
    const { url } = await upload('content')
    const { statusCode, headers } = await app.inject({ method: 'HEAD', url, headers: { range: 'bytes=2-4' } })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject(common)
    expect(headers).not.toHaveProperty('content-range')
  })

  it('answers with the part that players ask for', async () => {
    const { app, upload } = await serve()
    const { url } = await upload('content')
    const { statusCode, headers, body } = await app.inject({ url, headers: { range: 'bytes=2-4' } })
    expect(statusCode).toBe(206)
    expect(headers).toMatchObject({ 'content-range': 'bytes 2-4/7', 'content-length': '3' })
    expect(body).toBe('nte')
  })

  it('answers with the whole where the part makes no sense', async () => {
    const { app, upload } = await serve()
    const { url } = await upload('content')
    const { statusCode, headers, body } = await app.inject({ url, headers: { range: 'bytes=9-' } })
    expect(statusCode).toBe(200)
    expect(headers).not.toHaveProperty('content-range')
    expect(body).toBe('content')
  })

  it.each([
    '/uploads/%2e%2e/beside.png',
    '/uploads/..%2f{owner}/beside.png',
    '/uploads/{owner}/..%2f..%2fbeside.png',
    '/uploads/{owner}%2f../inside.png',
    '/uploads/%2e/inside.png',
    '/uploads/{owner}/..%2finside.png',
    '/uploads/{owner}/private%2fhidden.png',
    '/uploads/{owner}%2fprivate/hidden.png',
    '/uploads/private/{owner}%2fprivate/hidden.png',
    '/uploads/{owner}/upload-1.png%00',
    '/uploads/{owner}/running.png.part',
    '/uploads/{owner}/running.part',
    '/uploads/{owner}/notes.html',
    '/uploads/other/beside.png',
  ])('gives out nothing that was not uploaded: %s', async (address) => {
    const { app, upload, folder } = await serve()
    const { url } = await upload('content')
    const [, , owner = ''] = url.split('/')
    const files = [
      join(folder, 'inside.png'),
      join(folder, 'other', 'beside.png'),
      join(folder, owner, 'private', 'hidden.png'),
      join(folder, owner, 'running.png.part'),
      join(folder, owner, 'running.part'),
      join(folder, owner, 'notes.html'),
    ]
    for (const file of files) {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, 'secret')
    }
    await writeFile(join(folder, '..', 'beside.png'), 'secret')
    expect((await app.inject(url)).body).toBe('content')
    const response = await app.inject(address.replace('{owner}', owner))
    expect(response.body).not.toContain('secret')
    expect(response.statusCode).toBeGreaterThanOrEqual(400)
    expect(response.statusCode).toBeLessThan(500)
  })

  it('gives private files to the operator only, to be kept by nobody', async () => {
    const block = fileInput({ visibility: 'Private' })
    const { app, upload } = await serve({ block, adminToken: 'operator' })
    const { url } = await upload('content')
    expect(url).toMatch(/^\/uploads\/private\//)
    for (const authorization of [undefined, 'Bearer other']) {
      const response = await app.inject({ url, headers: { ...(authorization && { authorization }) } })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer')
    }
    const response = await app.inject({ url, headers: { authorization: 'Bearer operator' } })
    expect(response.body).toBe('content')
    expect(response.headers).toMatchObject({ ...common, 'cache-control': 'no-store' })
    const misspelt = await app.inject({ url: `${url}?x=1`, headers: { authorization: 'Bearer operator' } })
    expect(misspelt.statusCode).toBe(400)
    expect(misspelt.json().errors).toMatchObject([{ pointer: '/x' }])
    for (const way of [url.replace('private/', ''), url.replace('private/', 'private%2F')]) {
      expect((await app.inject(way)).statusCode).toBe(404)
    }
  })
})

describe('a file in a conversation', () => {
  it('is known by its path, whatever name the network gives this service', async () => {
    const block = fileInput({ allowedFileTypes: { isEnabled: true, types: ['image/*'] } })
    const { ask, app, world } = await serve({ block })
    const { presignedUrl, fileUrl } = (await ask(undefined, { host: 'flows:3000' })).json()
    expect(fileUrl).toMatch(/^http:\/\/flows:3000\//)
    await app.inject({ method: 'PUT', url: new URL(presignedUrl).pathname, payload: 'content' })
    await world.chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { message: fileUrl },
    })
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({ answers: [{ content: fileUrl }] })
  })

  it('is asked for, uploaded, replied with, and kept in its variable', async () => {
    const block = fileInput({ variableId: 'v1', allowedFileTypes: { isEnabled: true, types: ['image/*'] } })
    const definition = { variables: [{ id: 'v1', name: 'Picture' }] }
    const { upload, world } = await serve({ block, definition })
    const { url } = await upload('content')
    const message = `http://${host}${url}`
    await world.chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { message },
    })
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({
      isCompleted: true,
      variables: [{ name: 'Picture', value: message }],
    })
  })
})

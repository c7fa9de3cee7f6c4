import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'

async function listen() {
  const { chat, published } = recordingChat()
  const { app, logLines } = await buildTestApp({ chat })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, logLines, published, socket: connect(port, '127.0.0.1') }
}

const head = 'POST /v1/flows/welcome/startChat HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'

describe('a connection', () => {
  it('that does not speak HTTP is answered by a problem document', async () => {
    const { socket } = await listen()
    socket.end('what?\r\n\r\n')
    const [headers, body] = (await text(socket)).split('\r\n\r\n')
    expect(headers?.split('\r\n')).toEqual([
      'HTTP/1.1 400 Bad Request',
      'content-type: application/problem+json; charset=utf-8',
      expect.stringMatching(/^x-request-id: [\da-f-]{36}$/),
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body ?? '')}`,
      'connection: close',
    ])
    expect(JSON.parse(body ?? '')).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request could not be read',
      code: 'BAD_REQUEST',
      message: 'The request could not be read',
    })
  })

  it('that stops speaking HTTP behind a request is no failure of that request', async () => {
    const { app, socket, logLines } = await listen()
    const received = once(app.server, 'request')
    socket.end(`${head}content-length: 0\r\n\r\nwhat?\r\n\r\n`)
    await Promise.all([received, text(socket)])
    await app.close()
    expect(logLines.filter(({ msg }) => msg === 'request failed')).toEqual([])
  })

  it('that takes too long for its head is answered with an error', async () => {
    const { app, socket } = await listen()
    const accepted = once(app.server, 'connection')
    socket.write('GET /health HT')
    const [serverSide] = await accepted
    // What Node tells when its own patience is at an end.
    const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    app.server.emit('clientError', error, serverSide)
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(body ?? '')).toMatchObject({
      status: 408,
      code: 'REQUEST_TIMEOUT',
      message: 'The request did not arrive in time',
    })
  })

  it('that sends more headers than anybody needs is answered with an error', async () => {
    const { socket } = await listen()
    socket.write(`${head}x-much: ${'x'.repeat(20_000)}\r\n\r\n`)
    const [first, body] = (await text(socket)).split('\r\n\r\n')
    expect(first).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
    expect(JSON.parse(body ?? '')).toMatchObject({ status: 431, code: 'HEADERS_TOO_LARGE' })
  })

  it('that is reset in the middle of a head does no harm', async () => {
    const { app, socket } = await listen()
    await once(socket, 'connect')
    socket.write('GET /health HT')
    socket.resetAndDestroy()
    expect((await app.inject('/health')).statusCode).toBe(200)
  })

  it('that ends in the middle of a body is no defect of the service', async () => {
    const { app, logLines, published, socket } = await listen()
    const arrived = once(app.server, 'request')
    socket.write(`${head}content-length: 100\r\n\r\n{"message":`)
    const [request] = await arrived
    const gone = new Promise((resolve) => request.once('close', resolve))
    socket.destroy()
    await gone
    expect((await app.inject('/health')).statusCode).toBe(200)
    expect(logLines.filter(({ msg }) => msg !== 'request' && !/^Server listening/.test(msg))).toEqual([])
    expect(published).toEqual([])
  })

  it.each([
    ['JSON', 'content-type: application/json\r\n'],
    ['another type', 'content-type: text/plain\r\n'],
    ['no type', ''],
  ])('that sends chunks which are none is no defect of the service: %s', async (_name, type) => {
    const { app, logLines, socket } = await listen()
    const path = '/v1/flows/welcome/startChat'
    const broken = '0\n\n0\n\n'
    socket.end(`POST ${path} HTTP/1.1\r\nhost: a\r\n${type}transfer-encoding: chunked\r\n\r\n${broken}`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect((await app.inject('/health')).statusCode).toBe(200)
    expect(logLines.filter(({ msg }) => msg === 'request failed')).toEqual([])
  })

  it('that expects something unheard of is served all the same', async () => {
    const { socket } = await listen()
    socket.end('GET /health HTTP/1.1\r\nhost: a\r\nexpect: 200-ok\r\n\r\n')
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('x-content-type-options: nosniff\r\n')
  })

  it('that names no host is refused by a problem document, unless it speaks HTTP/1.0', async () => {
    const { app, logLines, socket } = await listen()
    socket.end('GET /health HTTP/1.1\r\n\r\n')
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*application\/problem\+json/s)
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The Host header is missing',
    })
    expect(logLines.at(-1)).toMatchObject({ msg: 'request', status: 400 })
    const older = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    older.end('GET /health HTTP/1.0\r\n\r\n')
    expect(await text(older)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it.each([
    ['two', 'host: a\r\nHOST: b\r\n'],
    ['the same twice', 'Host: a\r\nhost: a\r\n'],
  ])('that names %s hosts is refused by a problem document', async (_name, hosts) => {
    const { logLines, socket } = await listen()
    socket.end(`GET /health HTTP/1.1\r\n${hosts}\r\n`)
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*application\/problem\+json/s)
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'There is more than one Host header',
    })
    expect(logLines.at(-1)).toMatchObject({ msg: 'request', status: 400 })
  })

  it('that sends chunks is read to the end', async () => {
    const { published, socket } = await listen()
    socket.write(`${head}transfer-encoding: chunked\r\nconnection: close\r\n\r\n`)
    socket.write('b\r\n{"message":\r\n')
    socket.write('5\r\n"Hi"}\r\n0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(published.map(({ body }) => body)).toEqual([{ message: 'Hi' }])
  })

  it.each([
    ['chunks of a length', 'transfer-encoding: chunked\r\ncontent-length: 5\r\n'],
    ['a length of chunks', 'content-length: 5\r\ntransfer-encoding: chunked\r\n'],
    ['two lengths', 'content-length: 5\r\ncontent-length: 6\r\n'],
    ['two lengths in one', 'content-length: 5, 6\r\n'],
    ['chunks that end twice', 'transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n'],
    ['a coding before none', 'transfer-encoding: chunked, identity\r\n'],
    ['a header behind a blank', 'content-length : 5\r\n'],
    ['a folded header', 'content-length: 5\r\n content-length: 6\r\n'],
  ])('that says twice how long it is, or unclearly, is refused: %s', async (_name, headers) => {
    const { socket, published } = await listen()
    socket.write(`${head}${headers}\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(published).toEqual([])
  })

  it('that sends chunks without end is cut off at the limit of a body', async () => {
    const { published, socket } = await listen()
    const received = text(socket)
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent <= 1024 * 1024; sent += 0x10000) socket.write(chunk)
    expect(await received).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
    expect(published).toEqual([])
  })
})

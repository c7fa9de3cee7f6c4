import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { SMTPServer } from 'smtp-server'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Lookup } from '../../../src/adapters/http-client/egress/destination-policy.ts'
import { nextHop } from '../../../src/adapters/http-client/request-chain.ts'
import type { OutgoingOptions } from '../../../src/ports/http-client-port.ts'
import { httpAnswer, type RawAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { skipPauses } from '../../support/skip-pauses.ts'
import { openClient, type RequestPart, resolver } from './open-client.ts'

type Part = Omit<RequestPart, 'url'> & { readonly path?: string }

/** A server that gives these answers in turn, the last one again and again, and a client that may reach it. */
async function connect(...answers: RawAnswer[]) {
  const server = await startRawHttpServer((_request, index) => answers[Math.min(index, answers.length - 1)])
  const { client, send, stream } = openClient('127.0.0.1', resolver({ 'shop.example': ['127.0.0.1'] }))
  return {
    server,
    client,
    send: ({ path = '/', ...part }: Part, options?: OutgoingOptions) =>
      send({ ...part, url: server.url + path }, options),
    stream: ({ path = '/', ...part }: Part, options?: OutgoingOptions) =>
      stream({ ...part, url: server.url + path }, options),
    sendTo: send,
  }
}

const fiveMiB = 5 * 1024 * 1024
const responseOf = (text: string, status = 200) => ({ kind: 'response', status, text })

const emptyTo = (method: string) => ({
  ...responseOf(''),
  ...(method === 'HEAD' && { file: expect.any(Object) }),
})
const redirect = (status: number, location: string) => httpAnswer(status, 'moved', { location })

/** What is in the request beyond what every request has. */
const ownHeaders = (headers: ReadonlyMap<string, string> | undefined) =>
  Object.fromEntries(
    [...(headers ?? [])].filter(
      ([name]) => !['host', 'connection', 'accept', 'user-agent', 'accept-encoding'].includes(name),
    ),
  )

describe('a request', () => {
  it('goes over the wire byte by byte', async () => {
    const { server, send } = await connect(httpAnswer(201, '{"ok":true}'))
    const outcome = await send({
      method: 'POST',
      path: '/v1/quote?lang=fr#part',
      headers: [
        ['Authorization', 'Basic c2hvcDpzMzpjcmV0'],
        ['content-type', 'application/json'],
      ],
      body: '{"sku":"Zoé"}',
    })
    expect(outcome).toEqual(responseOf('{"ok":true}', 201))
    expect(server.requests[0]?.text).toBe(
      [
        'POST /v1/quote?lang=fr HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'accept: */*',
        'user-agent: flow-runtime',
        'accept-encoding: gzip, deflate, br',
        'authorization: Basic c2hvcDpzMzpjcmV0',
        'content-type: application/json',
        'content-length: 14',
        '',
        '{"sku":"Zoé"}',
      ].join('\r\n'),
    )
  })

  it.each([
    ['GET', 'ignored', '', undefined],
    ['HEAD', 'ignored', '', undefined],
    ['POST', undefined, '', '0'],
    ['POST', '', '', '0'],
    ['PUT', 'x', 'x', '1'],
    ['PATCH', 'x', 'x', '1'],
    ['DELETE', 'x', 'x', '1'],
    ['OPTIONS', 'x', 'x', '1'],
    ['post', 'x', 'x', '1'],
  ])('%s with body %j sends %j', async (method, body, sent, contentLength) => {
    const { server, send } = await connect(httpAnswer(200))
    expect(await send({ method, ...(body !== undefined && { body }) })).toEqual(emptyTo(method))
    const [request] = server.requests
    expect(request).toMatchObject({ method: method.toUpperCase(), body: sent })
    expect(request?.headers.get('content-length')).toBe(contentLength)
    expect(request?.headers.get('transfer-encoding')).toBeUndefined()
  })

  it('lets the author replace what is sent by default', async () => {
    const { server, send } = await connect(httpAnswer(200))
    await send({
      headers: [
        ['Accept', 'text/html'],
        ['User-Agent', 'shop'],
        ['ACCEPT-ENCODING', 'identity'],
      ],
    })
    const text = server.requests[0]?.text ?? ''
    expect(text.match(/^(accept|user-agent|accept-encoding): .*$/gm)).toEqual([
      'accept: text/html',
      'user-agent: shop',
      'accept-encoding: identity',
    ])
  })

  it('drops headers of the connection, joins those of one name and trims blanks', async () => {
    const { server, send } = await connect(httpAnswer(200))
    const ofTheConnection = [
      'Host',
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      'Upgrade',
      'Expect',
      'TE',
    ]
    await send({
      method: 'POST',
      body: 'four',
      headers: [
        ...[...ofTheConnection, 'Trailer', 'Keep-Alive', 'Proxy-Authorization'].map(
          (name) => [name, '1'] as const,
        ),
        ['X-A', ' \t1\r\n'],
        ['x-a', '2'],
        ['__proto__', 'é'],
      ],
    })
    expect(ownHeaders(server.requests[0]?.headers)).toEqual(
      Object.fromEntries([
        ['x-a', '1, 2'],
        ['__proto__', 'é'],
        ['content-length', '4'],
      ]),
    )
    expect(server.requests[0]?.headers.get('host')).toBe(`127.0.0.1:${server.port}`)
  })

  it.each([
    ['x y', 'v', 'The name of a header cannot be sent'],
    ['', 'v', 'The name of a header cannot be sent'],
    ['x:', 'v', 'The name of a header cannot be sent'],
    ['x-é', 'v', 'The name of a header cannot be sent'],
    ['x-a', 'secret\r\nx-b: 1', 'The value of the header "x-a" cannot be sent'],
    ['x-a', 'secret\0', 'The value of the header "x-a" cannot be sent'],
    ['x-a', 'secret ☃', 'The value of the header "x-a" cannot be sent'],
  ])('fails for a header that cannot be sent: %j: %j', async (name, value, message) => {
    const { server, send } = await connect(httpAnswer(200))
    expect(await send({ headers: [[name, value]] })).toEqual({ kind: 'failed', message })
    expect(server.connections).toBe(0)
  })

  it.each([
    'Metadata',
    'metadata-flavor',
    'X-aws-ec2-metadata-token',
    'x-aws-ec2-metadata-token-ttl-seconds',
  ])('is refused for a header of metadata services: %s', async (name) => {
    const { server, send } = await connect(httpAnswer(200))
    const refused = { kind: 'refused', reason: 'The request has a header for metadata services' }
    expect(await send({ headers: [[name, 'Google']] })).toEqual(refused)
    expect(server.connections).toBe(0)
  })

  it.each(['X-My-Metadata-Id', 'metadata-id'])('may have the header %s', async (name) => {
    const { send } = await connect(httpAnswer(200))
    expect(await send({ headers: [[name, '7']] })).toEqual(responseOf(''))
  })

  it.each(['CONNECT', 'TRACE', 'track', 'GET /x', ''])('fails with the method %j', async (method) => {
    const { server, send } = await connect(httpAnswer(200))
    const message = 'A request with this method cannot be sent'
    expect(await send({ method })).toEqual({ kind: 'failed', message })
    expect(server.connections).toBe(0)
  })

  it('fails with credentials in its address, and does not repeat them', async () => {
    const { server, sendTo } = await connect(httpAnswer(200))
    const message = 'The address holds a user name or a password'
    for (const user of ['ada:s3cret', 'ada', ':s3cret']) {
      const url = `http://${user}@127.0.0.1:${server.port}/`
      expect(await sendTo({ url })).toEqual({ kind: 'failed', message })
    }
    expect(server.connections).toBe(0)
  })

  it('fails at a port that browsers never use', async () => {
    const { sendTo } = await connect(httpAnswer(200))
    const message = 'The port is one that browsers never use'
    expect(await sendTo({ url: 'http://127.0.0.1:6667/' })).toEqual({ kind: 'failed', message })
  })

  it('fails where nobody listens, without telling the address', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const { sendTo } = await connect(httpAnswer(200))
    expect(await sendTo({ url: `http://shop.example:${port}`, method: 'POST' })).toEqual({
      kind: 'failed',
      message: 'The connection was refused',
      cause: 'ECONNREFUSED',
    })
  })

  it('uses a connection again', async () => {
    const { server, send } = await connect(httpAnswer(200, 'again'))
    for (let n = 0; n < 5; n++) expect(await send({ method: 'POST', body: 'x' })).toEqual(responseOf('again'))
    expect(server.requests).toHaveLength(5)
    // A second one may be opened when the first is not yet known to be free.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('fails once the client is closed', async () => {
    const { client, send } = await connect(undefined)
    const outcome = send({ method: 'POST' })
    await client.close()
    expect(await outcome).toMatchObject({ kind: 'failed' })
    expect(await send({ method: 'POST' })).toMatchObject({ kind: 'failed' })
  })
})

describe('TLS', () => {
  it('asks for the name of the address, at the address that was checked', async () => {
    let greet = (_hello: Buffer) => {}
    const hello = new Promise<Buffer>((resolve) => {
      greet = resolve
    })
    const server = await startRawHttpServer(undefined, {
      listenWith: () => createServer((socket) => socket.on('error', () => {}).once('data', greet)),
    })
    const { send } = openClient('127.0.0.1', resolver({ 'shop.example': ['127.0.0.1'] }))
    const outcome = send({ url: `https://shop.example:${server.port}`, method: 'POST', timeoutMs: 500 })
    expect((await hello).includes('shop.example')).toBe(true)
    expect(await outcome).toEqual({ kind: 'timeout' })
  })

  it('does not trust a certificate that nobody vouches for', async () => {
    const server = new SMTPServer({ secure: true })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
    server.on('error', () => {})
    const { send } = openClient('127.0.0.1')
    expect(await send({ url: `https://127.0.0.1:${port}` })).toMatchObject({
      kind: 'failed',
      message: 'The certificate of the server is not trusted',
    })
  })
})

describe('a response', () => {
  it.each([200, 204, 304, 404, 422, 500])('with status %i is one', async (status) => {
    const body = status === 204 || status === 304 ? '' : 'text'
    const { send } = await connect(httpAnswer(status, body))
    expect(await send({ method: 'POST' })).toEqual(responseOf(body, status))
  })

  it('that redirects nowhere is the end', async () => {
    const { send } = await connect(httpAnswer(302, 'where?'))
    expect(await send({})).toEqual(responseOf('where?', 302))
  })

  it('to HEAD says of the file what its server says', async () => {
    const file = { 'content-type': 'text/csv', 'content-length': '9', 'content-disposition': 'inline' }
    const lines = Object.entries(file).map(([name, value]) => `${name}: ${value}\r\n`)
    const { send } = await connect(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`, 'HTTP/1.1 200 OK\r\n\r\n')
    const contentHeaders = { contentType: 'text/csv', contentLength: '9', contentDisposition: 'inline' }
    expect(await send({ method: 'HEAD' })).toEqual({ ...responseOf(''), file: contentHeaders })
    expect(await send({ method: 'HEAD' })).toEqual({ ...responseOf(''), file: {} })
  })

  it('to HEAD has no body, whatever its headers say', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ncontent-encoding: gzip\r\n\r\n'
    const { send } = await connect(head)
    expect(await send({ method: 'HEAD' })).toEqual(emptyTo('HEAD'))
  })

  it.each([
    ['gzip', gzipSync('é'.repeat(99))],
    ['x-gzip', gzipSync('é'.repeat(99))],
    ['GZIP', gzipSync('é'.repeat(99))],
    ['deflate', deflateSync('é'.repeat(99))],
    ['deflate', deflateRawSync('é'.repeat(99))],
    ['br', brotliCompressSync('é'.repeat(99))],
    ['br, gzip', gzipSync(brotliCompressSync('é'.repeat(99)))],
    ['', Buffer.from('é'.repeat(99))],
    ['identity', Buffer.from('é'.repeat(99))],
    ['unheard-of', Buffer.from('é'.repeat(99))],
  ])('is decompressed: %s', async (encoding, body) => {
    const { send } = await connect(httpAnswer(200, body, { 'content-encoding': encoding }))
    expect(await send({})).toEqual(responseOf('é'.repeat(99)))
  })

  it.each(['gzip', 'br', 'deflate'])(
    'may be empty although it is said to be compressed: %s',
    async (encoding) => {
      const { send } = await connect(httpAnswer(200, '', { 'content-encoding': encoding }))
      expect(await send({})).toEqual(responseOf(''))
    },
  )

  it.each(['gzip', 'br', 'deflate'])('fails that is not what it says: %s', async (encoding) => {
    const { send } = await connect(httpAnswer(200, Buffer.alloc(64, 0xff), { 'content-encoding': encoding }))
    const message = 'The response cannot be decompressed'
    expect(await send({})).toMatchObject({ kind: 'failed', message })
  })

  it('fails that is compressed over and over', async () => {
    const { send } = await connect(httpAnswer(200, 'x', { 'content-encoding': 'gzip, gzip, gzip, gzip' }))
    const message = 'The response is compressed too many times'
    expect(await send({})).toEqual({ kind: 'failed', message })
  })

  it('is read as UTF-8, whatever it says, without the mark at its beginning', async () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xc3, 0xa9, 0xff, 0x7d])
    const { send } = await connect(httpAnswer(200, body, { 'content-type': 'text/plain; charset=latin1' }))
    expect(await send({})).toEqual(responseOf('{é\ufffd}'))
  })

  it('may come in chunks, or end with its connection', async () => {
    const head = 'HTTP/1.1 200 OK\r\n'
    const chunked = `${head}transfer-encoding: chunked\r\n\r\n3\r\none\r\n4\r\n two\r\n0\r\n\r\n`
    const { send } = await connect(chunked, (socket) => socket.end(`${head}connection: close\r\n\r\nthree`))
    expect(await send({})).toEqual(responseOf('one two'))
    expect(await send({})).toEqual(responseOf('three'))
  })

  it('may have as many bytes as allowed, and not one more', async () => {
    const { send } = await connect(
      httpAnswer(200, 'x'.repeat(fiveMiB)),
      httpAnswer(200, 'x'.repeat(fiveMiB + 1)),
    )
    expect(await send({})).toMatchObject({
      kind: 'response',
      text: expect.objectContaining({ length: fiveMiB }),
    })
    expect(await send({})).toEqual({ kind: 'failed', message: 'The response is too large' })
  })

  it.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes)],
    ['gzip, gzip', (bytes: Buffer) => gzipSync(gzipSync(bytes))],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { 1: 1 } })],
  ])('is cut when it is a bomb: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(fiveMiB / 50)
    const { server, send } = await connect(httpAnswer(200, bomb, { 'content-encoding': encoding }))
    expect(await send({})).toEqual({ kind: 'failed', message: 'The response is too large' })
    expect(server.requests).toHaveLength(1)
  })

  it('that never ends is cut', async () => {
    const { server, send } = await connect((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      }
      socket.on('drain', pour)
      pour()
    })
    expect(await send({ timeoutMs: 60_000 })).toEqual({
      kind: 'failed',
      message: 'The response is too large',
    })
    await expect.poll(() => server.openConnections).toBe(0)
  })

  it.each([
    ['no HTTP', 'SMTP ready\r\n', 'The response is not valid HTTP'],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`,
      'The headers of the response are too large',
    ],
  ])('fails that is %s', async (_what, answer, message) => {
    const { send } = await connect(answer)
    expect(await send({})).toMatchObject({ kind: 'failed', message })
  })
})

describe('a redirect', () => {
  it.each([
    // status, method, then what follows
    [301, 'POST', 'GET', false],
    [302, 'POST', 'GET', false],
    [303, 'POST', 'GET', false],
    [303, 'PUT', 'GET', false],
    [303, 'DELETE', 'GET', false],
    [303, 'HEAD', 'HEAD', false],
    [301, 'PUT', 'PUT', true],
    [302, 'DELETE', 'DELETE', true],
    [307, 'POST', 'POST', true],
    [308, 'PATCH', 'PATCH', true],
    [301, 'GET', 'GET', false],
    [308, 'HEAD', 'HEAD', false],
  ])('%i of %s goes on as %s, with the body: %j', async (status, method, following, hasBody) => {
    const answer = method === 'HEAD' ? `HTTP/1.1 ${status} Moved\r\nlocation: ../next?a=1\r\n\r\n` : undefined
    const { server, send } = await connect(answer ?? redirect(status, '../next?a=1'), httpAnswer(200))
    const headers = [
      ['Content-Type', 'text/plain'],
      ['Content-Language', 'fr'],
      ['Authorization', 'Bearer t'],
    ] as const
    expect(await send({ path: '/a/b', method, headers, body: 'body' })).toEqual(emptyTo(method))
    const [, second] = server.requests
    expect(second).toMatchObject({ method: following, target: '/next?a=1', body: hasBody ? 'body' : '' })
    const isContentGone = following === 'GET' && method !== 'GET'
    expect(ownHeaders(second?.headers)).toEqual({
      authorization: 'Bearer t',
      ...(!isContentGone && { 'content-type': 'text/plain', 'content-language': 'fr' }),
      ...(hasBody && { 'content-length': '4' }),
    })
  })

  it('to another origin leaves everything behind that could be a key', async () => {
    const other = await startRawHttpServer()
    const { server, send } = await connect(redirect(307, other.url))
    const outcome = await send({
      method: 'POST',
      body: 'body',
      headers: [
        ['Authorization', 'Bearer t'],
        ['Cookie', 'a=b'],
        ['X-Api-Key', 'k'],
        ['Accept-Encoding', 'identity'],
        ['Accept', 'text/html'],
        ['Accept-Language', 'fr'],
        ['User-Agent', 'shop'],
        ['Content-Type', 'text/plain'],
      ],
    })
    expect(outcome).toEqual(responseOf(''))
    expect(server.requests).toHaveLength(1)
    expect(Object.fromEntries(other.requests[0]?.headers ?? [])).toEqual({
      host: `127.0.0.1:${other.port}`,
      connection: 'keep-alive',
      'accept-encoding': 'gzip, deflate, br',
      accept: 'text/html',
      'accept-language': 'fr',
      'user-agent': 'shop',
      'content-type': 'text/plain',
      'content-length': '4',
    })
  })

  it('from https to http is one to another origin', () => {
    const headers = new Map([
      ['authorization', 'Bearer t'],
      ['accept', 'text/html'],
    ])
    const hop = { method: 'GET', url: new URL('https://shop.example/a'), headers, body: undefined }
    const kept = (location: string) => [...(nextHop(hop, 302, location)?.headers.keys() ?? [])]
    expect(kept('http://shop.example/a')).toEqual(['accept'])
    expect(kept('https://shop.example:443/b')).toEqual(['authorization', 'accept'])
  })

  it('to another name of the same address is one to another origin', async () => {
    const server = await startRawHttpServer((_request, index) =>
      index === 0 ? redirect(302, `http://shop.example:${server.port}/`) : httpAnswer(200),
    )
    const { send } = openClient('127.0.0.1', resolver({ 'shop.example': ['127.0.0.1'] }))
    expect(await send({ url: server.url, headers: [['X-Api-Key', 'k']] })).toEqual(responseOf(''))
    expect(ownHeaders(server.requests[1]?.headers)).toEqual({})
  })

  it('is followed ten times', async () => {
    const tenTimes = Array.from({ length: 10 }, (_, n) => redirect(302, `/${n}`))
    const { server, send } = await connect(...tenTimes, httpAnswer(200, 'there'))
    expect(await send({})).toEqual(responseOf('there'))
    expect(server.requests).toHaveLength(11)
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('is not followed an eleventh time', async () => {
    const { server, send } = await connect(redirect(302, '/'))
    expect(await send({})).toEqual({ kind: 'failed', message: 'There are too many redirects' })
    expect(server.requests).toHaveLength(11)
  })

  it.each([
    ['http://', 'The redirect has no valid address'],
    ['ftp://127.0.0.1/', 'The redirect is refused: The address is neither http nor https'],
    ['http://ada:s3cret@127.0.0.1/', 'The address holds a user name or a password'],
    ['http://127.0.0.1:25/', 'The port is one that browsers never use'],
    ['http://10.0.0.1/', 'The redirect is refused: The address is private (10.0.0.0/8)'],
  ])('fails that leads to %s', async (location, message) => {
    const { send } = await connect(redirect(302, location))
    expect(await send({})).toEqual({ kind: 'failed', message })
  })

  it('fails that leads to a name nobody knows', async () => {
    const { send } = await connect(redirect(302, 'http://gone.example/'))
    expect(await send({})).toMatchObject({ kind: 'failed', message: 'The host name does not resolve' })
  })

  it('fails that has several addresses', async () => {
    const { send } = await connect(
      'HTTP/1.1 302 X\r\nlocation: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n',
    )
    expect(await send({})).toEqual({ kind: 'failed', message: 'The redirect has no valid address' })
  })

  it('may have a body that never ends', async () => {
    const { server, send } = await connect(
      'HTTP/1.1 302 X\r\nlocation: /next\r\n\r\nendless',
      httpAnswer(200),
    )
    expect(await send({})).toEqual(responseOf(''))
    await expect.poll(() => server.openConnections).toBe(1)
  })
})

const hangUp: RawAnswer = (socket) => socket.destroy()

describe('another try', () => {
  beforeEach(() => skipPauses())

  it.each([429, 502, 503, 504])('is made for GET after %i', async (status) => {
    const { server, send } = await connect(httpAnswer(status), httpAnswer(200, 'now'))
    expect(await send({})).toEqual(responseOf('now'))
    expect(server.requests).toHaveLength(2)
  })

  it('is made for HEAD, and after a lost connection', async () => {
    const { server, send } = await connect(hangUp, httpAnswer(200))
    expect(await send({ method: 'HEAD' })).toEqual(emptyTo('HEAD'))
    expect(server.requests).toHaveLength(2)
  })

  it('is made after a body that was cut short', async () => {
    const { send } = await connect(
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
      httpAnswer(200, 'all of it'),
    )
    expect(await send({})).toEqual(responseOf('all of it'))
  })

  it('is the last one after two', async () => {
    const { server, send } = await connect(httpAnswer(503, 'down'))
    expect(await send({})).toEqual(responseOf('down', 503))
    expect(server.requests).toHaveLength(3)
  })

  it('reports the last failure', async () => {
    const { server, send } = await connect(hangUp)
    expect(await send({})).toMatchObject({ kind: 'failed', message: 'The connection was lost' })
    expect(server.requests).toHaveLength(3)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is not made for %s', async (method) => {
    const { server, send } = await connect(httpAnswer(503), httpAnswer(200))
    expect(await send({ method })).toEqual(responseOf('', 503))
    expect(server.requests).toHaveLength(1)
  })

  it.each([400, 404, 408, 413, 500, 501])('is not made after %i', async (status) => {
    const { server, send } = await connect(httpAnswer(status), httpAnswer(200))
    expect(await send({})).toEqual(responseOf('', status))
    expect(server.requests).toHaveLength(1)
  })

  it('is not made for a refused redirect', async () => {
    const { server, send } = await connect(redirect(302, 'http://10.0.0.1/'))
    await send({})
    expect(server.requests).toHaveLength(1)
  })

  it.each(['86400', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is not made when it may come too late only: %s',
    async (date) => {
      const { server, send } = await connect(
        httpAnswer(503, 'later', { 'retry-after': date }),
        httpAnswer(200),
      )
      expect(await send({})).toEqual(responseOf('later', 503))
      expect(server.requests).toHaveLength(1)
    },
  )

  it.each(['0', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('is made soon when it may: %s', async (date) => {
    const { send } = await connect(httpAnswer(503, 'later', { 'retry-after': date }), httpAnswer(200))
    expect(await send({})).toEqual(responseOf(''))
  })
})

/** Sends a byte now and then, without end. */
const drip: RawAnswer = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
  const timer = setInterval(() => socket.write('x'), 20)
  socket.on('close', () => clearInterval(timer))
}

describe('the time of a request', () => {
  it.each([
    ['headers', undefined],
    ['a body that drips', drip],
  ])('covers %s', async (_what, answer) => {
    const { server, send } = await connect(answer)
    expect(await send({ timeoutMs: 200 })).toEqual({ kind: 'timeout' })
    await expect.poll(() => server.openConnections).toBe(0)
    expect(server.connections).toBe(1)
  })

  it('covers redirects', async () => {
    const { send } = await connect((socket) => setTimeout(() => socket.write(redirect(302, '/again')), 90))
    expect(await send({ timeoutMs: 200 })).toEqual({ kind: 'timeout' })
  })

  it('covers a connection that takes too long, and gives it up', async () => {
    // It takes the connection, and never greets over TLS.
    const server = await startRawHttpServer(undefined, {
      listenWith: () => createServer((socket) => socket.resume()),
    })
    const { send } = openClient('127.0.0.1')
    const url = `https://127.0.0.1:${server.port}`
    expect(await send({ url, timeoutMs: 100 })).toEqual({ kind: 'timeout' })
    await expect.poll(() => server.openConnections).toBe(0)
    expect(server.connections).toBe(1)
  })

  it('covers a name that changes its mind about answering', async () => {
    let calls = 0
    const once: Lookup = () => (calls++ === 0 ? Promise.resolve(['127.0.0.1']) : new Promise(() => {}))
    const { send } = openClient('127.0.0.1', once)
    expect(await send({ url: 'http://shop.example', timeoutMs: 100 })).toEqual({ kind: 'timeout' })
  })

  it('covers the tries together', async () => {
    const { server, send } = await connect(httpAnswer(503), undefined)
    expect(await send({ timeoutMs: 800 })).toEqual({ kind: 'timeout' })
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    ['headers', undefined],
    ['the body', drip],
  ])('ends with its caller, while it waits for %s', async (_what, answer) => {
    const { server, send } = await connect(answer)
    const controller = new AbortController()
    const outcome = send({}, { signal: controller.signal })
    await expect.poll(() => server.requests).toHaveLength(1)
    controller.abort()
    expect(await outcome).toEqual({ kind: 'failed', message: 'The request was aborted' })
    await expect.poll(() => server.openConnections).toBe(0)
  })

  it('ends with its caller, while it waits for another try', async () => {
    const { server, send } = await connect(httpAnswer(503, '', { 'retry-after': '5' }))
    const controller = new AbortController()
    const outcome = send({}, { signal: controller.signal })
    await expect.poll(() => server.requests).toHaveLength(1)
    setTimeout(() => controller.abort(), 50)
    expect(await outcome).toEqual({ kind: 'failed', message: 'The request was aborted' })
    expect(server.requests).toHaveLength(1)
  })

  it('may be over before it begins', async () => {
    const { server, send } = await connect(httpAnswer(200))
    const outcome = await send({}, { signal: AbortSignal.abort() })
    expect(outcome).toEqual({ kind: 'failed', message: 'The request was aborted' })
    expect(server.connections).toBe(0)
  })
})

async function piecesOf(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece).toString())
  return pieces
}

describe('a response that is streamed', () => {
  it('gives each piece when it comes', async () => {
    let goOn = () => {}
    const { stream } = await connect((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\none')
      goOn = () => socket.write('two')
    })
    const { status, body } = await stream({ method: 'POST', body: '{}' })
    expect(status).toBe(200)
    const pieces: string[] = []
    for await (const piece of body) {
      pieces.push(Buffer.from(piece).toString())
      goOn()
    }
    expect(pieces).toEqual(['one', 'two'])
  })

  it('is decompressed, and follows redirects', async () => {
    const zipped = httpAnswer(200, gzipSync('text'), { 'content-encoding': 'gzip' })
    const { stream } = await connect(redirect(307, '/next'), zipped)
    expect((await piecesOf((await stream({})).body)).join('')).toBe('text')
  })

  it('has the status of an error, and is not tried again', async () => {
    const { server, stream } = await connect(httpAnswer(503, 'down'))
    const { status, body } = await stream({})
    expect([status, await piecesOf(body)]).toEqual([503, ['down']])
    expect(server.requests).toHaveLength(1)
  })

  it('lets go of its connection when nobody reads on', async () => {
    const { server, stream } = await connect(drip)
    const { body } = await stream({})
    for await (const _piece of body) break
    await expect.poll(() => server.openConnections).toBe(0)
  })

  it('ends with its time', async () => {
    const { server, stream } = await connect(drip)
    const { body } = await stream({ timeoutMs: 200 })
    await expect(piecesOf(body)).rejects.toThrow('The request took too long')
    await expect.poll(() => server.openConnections).toBe(0)
  })

  it('says how large it is, and may have as many bytes as its reader takes', async () => {
    const answer = httpAnswer(200, 'x'.repeat(fiveMiB + 1))
    const { stream } = await connect(answer, answer, 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
    const large = await stream({}, { maxBytes: fiveMiB + 1 })
    expect(large.contentLength).toBe(fiveMiB + 1)
    expect((await piecesOf(large.body)).join('')).toHaveLength(fiveMiB + 1)
    const { body } = await stream({}, { maxBytes: fiveMiB })
    await expect(piecesOf(body)).rejects.toThrow('The response is too large')
    const untold = await stream({})
    expect(untold.contentLength).toBeUndefined()
    await untold.body[Symbol.asyncIterator]().return?.()
  })

  it('ends with its caller', async () => {
    const { server, stream } = await connect(drip)
    const controller = new AbortController()
    const { body } = await stream({}, { signal: controller.signal })
    const read = piecesOf(body)
    controller.abort()
    await expect(read).rejects.toThrow('The request was aborted')
    await expect.poll(() => server.openConnections).toBe(0)
  })

  it('is cut where it is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(fiveMiB + 1))
    const { stream } = await connect(httpAnswer(200, bomb, { 'content-encoding': 'gzip' }))
    await expect(piecesOf((await stream({})).body)).rejects.toThrow('The response is too large')
  })

  it('rejects with words for people', async () => {
    const { server, stream } = await connect(hangUp)
    await expect(stream({})).rejects.toThrow('The connection was lost')
    await expect(openClient().stream({ url: server.url })).rejects.toThrow(
      'The address is a loopback address',
    )
    const { stream: silent } = await connect(undefined)
    await expect(silent({ timeoutMs: 50 })).rejects.toThrow('The request took too long')
  })
})

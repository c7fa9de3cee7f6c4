import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the wire. */
export interface RawRequest {
  /** Every byte, read as UTF-8. */
  readonly text: string
  readonly bytes: Buffer
  readonly method: string
  /** What stands behind the method: path and query. */
  readonly target: string
  /** By names in lower case; lines of one name are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** What goes back: bytes, or whatever is done to the socket. Undefined leaves the client waiting. */
export type RawAnswer = string | Uint8Array | ((socket: Socket) => void) | undefined

export interface RawHttpServer {
  readonly port: number
  /** Without a slash at the end. */
  readonly url: string
  /** All requests so far, in order. */
  readonly requests: readonly RawRequest[]
  /** Connections that were accepted, ever. */
  readonly connections: number
  /** Connections that are open. */
  readonly openConnections: number
}

export interface RawHttpServerOptions {
  readonly host?: string
  /** Makes the server that takes the connections; a TLS server has its sockets in `secureConnection`. */
  readonly listenWith?: (accept: (socket: Socket) => void) => Server
}

/** Listens on a free port until the test is over, records what comes byte by byte, and answers by a function. */
export async function startRawHttpServer(
  answer: (request: RawRequest, index: number) => RawAnswer | Promise<RawAnswer> = () => httpAnswer(200),
  { host = '127.0.0.1', listenWith = createServer }: RawHttpServerOptions = {},
): Promise<RawHttpServer> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = listenWith((socket) => {
    receiveRequests(socket, async (request) =>
      reply(socket, await answer(request, requests.push(request) - 1)),
    )
  })
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    get connections() {
      return connections
    },
    get openConnections() {
      return sockets.size
    },
  }
}

/** The bytes of a response with its length, as a server writes them. */
export function httpAnswer(
  status: number,
  body: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const content = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(content.length), ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Answer\r\n${head}\r\n`), content])
}

function reply(socket: Socket, answer: RawAnswer): void {
  if (socket.destroyed || answer === undefined) return
  if (typeof answer === 'function') answer(socket)
  else socket.write(answer)
}

function receiveRequests(socket: Socket, take: (request: RawRequest) => void): void {
  let received = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let length = lengthOfFirst(received); length > 0; length = lengthOfFirst(received)) {
      take(readRequest(received.subarray(0, length)))
      received = received.subarray(length)
    }
  })
}

/** Zero while the request is not whole. Bodies in chunks are not known: the service never sends one. */
function lengthOfFirst(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return 0
  const bodyLength = Number(headersOf(bytes.toString('latin1', 0, headEnd)).get('content-length') ?? 0)
  const length = headEnd + 4 + bodyLength
  return bytes.length < length ? 0 : length
}

function readRequest(bytes: Buffer): RawRequest {
  const headEnd = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, headEnd)
  const [method = '', target = ''] = head.split(' ', 2)
  return {
    text: bytes.toString(),
    bytes,
    method,
    target,
    headers: headersOf(head),
    body: bytes.toString('utf8', headEnd + 4),
  }
}

function headersOf(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n').slice(1)) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
    const earlier = headers.get(name.toLowerCase())
    headers.set(name.toLowerCase(), earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

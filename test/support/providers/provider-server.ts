import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../json.ts'
import type { Misbehaviour } from './webhook-sender.ts'

/** A call of an API as it came. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Of JSON, or the fields of a form; empty else. */
  readonly body: Json
}

export interface Answer {
  readonly status: number
  readonly json?: Json
  readonly bytes?: Uint8Array
  readonly type?: string
}

/** A message that an API has taken. */
export interface TakenMessage {
  readonly to: string
  readonly body: Json
  /** By the clock of `performance`. */
  readonly at: number
  /** Whether whoever sent it was told nothing. */
  readonly isLost: boolean
}

interface ProviderServerOptions {
  readonly misbehaviour: Misbehaviour
  readonly random: () => number
  /** What a call that comes too often is told. */
  readonly busy: Answer
  /** Does what was called for; `isLost` says that its caller will not hear of it. */
  answer(call: Call, isLost: boolean): Answer
  /** Whether a call sends something, which is where an API misbehaves. */
  isSend(call: Call): boolean
}

/** The API of a messenger as an HTTP server. */
export async function startProviderServer(options: ProviderServerOptions) {
  const does = (what: keyof Misbehaviour) => options.random() < (options.misbehaviour[what] ?? 0)
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
    const call: Call = {
      method: request.method ?? '',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: request.headers,
      body: parse(Buffer.concat(pieces).toString(), request.headers['content-type']),
    }
    const mayMisbehave = options.isSend(call)
    if (mayMisbehave && does('busy')) return write(response, options.busy)
    if (mayMisbehave && does('broken')) return write(response, { status: 500 })
    const isLost = mayMisbehave && does('silent')
    const answer = options.answer(call, isLost)
    if (isLost) return void request.socket.destroy()
    return write(response, answer)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function write(response: ServerResponse, { status, json, bytes, type = 'application/json' }: Answer): void {
  const content = bytes ?? (json ? JSON.stringify(json) : '')
  response
    .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(content) })
    .end(content)
}

function parse(text: string, type?: string): Json {
  if (type?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

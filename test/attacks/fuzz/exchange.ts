import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Bytes } from './arbitraries/wire.ts'

/** What came back. Names of headers are in lower case. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A request as it goes out. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Whatever takes longer than this hangs. Every bound of the service is far below, as it is started here. */
const hangMs = 30_000

/** Sends requests to a service, and bytes that may be none. */
export interface Line {
  send(request: Sent): Promise<Answer>
  /** All that comes back until the connection ends, which has to happen once everything is sent. */
  pour(bytes: Bytes): Promise<Buffer>
  /** Opens so many connections, sends a text on each, and neither sends nor reads any more until it is called off. */
  hold(text: string, count: number): Promise<() => void>
  close(): Promise<void>
}

/** Opens the way to a service at an address such as `http://127.0.0.1:3000`. */
export function openLine(address: string): Line {
  const pool = new Pool(address, { connections: 16, headersTimeout: 0, bodyTimeout: 0 })
  const { hostname, port } = new URL(address)
  return {
    async send({ method, path, headers, body }) {
      const signal = AbortSignal.timeout(hangMs)
      const response = await pool.request({
        method: method as 'GET',
        path,
        headers: { ...headers },
        body: body ?? null,
        signal,
      })
      const bytes = Buffer.from(await response.body.arrayBuffer())
      return { status: response.statusCode, headers: flat(response.headers), body: bytes }
    },
    pour: (bytes) => pour(bytes, { host: hostname, port: Number(port) }),
    hold: (text, count) => hold(text, { count, host: hostname, port: Number(port) }),
    close: () => pool.destroy(),
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

async function pour({ pieces }: Bytes, address: { host: string; port: number }): Promise<Buffer> {
  const socket = connect(address)
  const received: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    socket.setTimeout(hangMs, () => {
      reject(new Error('the connection neither ends nor brings anything'))
      socket.destroy()
    })
    socket.on('data', (chunk) => received.push(chunk))
    // A service may cut off what it has had enough of, while there is more on its way.
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    await setImmediate()
  }
  socket.end()
  await ended
  return Buffer.concat(received)
}

interface Held {
  readonly count: number
  readonly host: string
  readonly port: number
}

async function hold(text: string, { count, host, port }: Held): Promise<() => void> {
  if (!['127.0.0.1', 'localhost'].includes(host)) throw new Error(`${host} is not this machine`)
  const sockets = Array.from({ length: count }, () => connect({ host, port }))
  // A service may cut off what it has had enough of.
  for (const socket of sockets) socket.on('error', () => undefined).pause()
  await Promise.allSettled(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write(text, 'latin1')
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

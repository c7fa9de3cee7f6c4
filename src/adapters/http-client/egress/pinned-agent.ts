import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { HttpClientError, undici } from '../http-client-error.ts'
import type { FindAddresses } from './destination-policy.ts'

/** An agent that connects to checked addresses alone. */
export type PinnedAgent = ReturnType<typeof createPinnedAgent>

type ConnectedRequest = Dispatcher.RequestOptions & {
  readonly origin: string
  readonly signal: AbortSignal
}

/** Lifetime of an idle connection; a server may request more, up to the second. */
const keepAliveMs = { usual: 10_000, longest: 30_000 }
const connectMs = 10_000
/** Longer than any request may be silent. */
const silenceMs = 10 * 60 * 1000

/**
 * Keeps connections and uses them again. Each is opened to addresses that were found for it right then, so a name
 * that changes its addresses between a check and the connection gains nothing, nor does an address without a name.
 */
export function createPinnedAgent(find: FindAddresses) {
  const demand = createPendingOrigins()

  async function open(options: buildConnector.Options): Promise<Socket> {
    const origin = `${options.protocol}//${options.host}`
    if (demand.isOver(origin)) throw unwanted()
    const addresses = await find(options.hostname, portOf(options))
    if (demand.isOver(origin)) throw unwanted()
    const socket = startConnection(options, addresses)
    const isReady = settled(socket, options.protocol)
    return demand.whileWanted(origin, isReady, () => socket.destroy(unwanted()))
  }

  let agent: Agent | undefined
  let isDestroyed = false
  const startAgent = () =>
    new (undici().Agent)({
      keepAliveTimeout: keepAliveMs.usual,
      keepAliveMaxTimeout: keepAliveMs.longest,
      // The request's own time limit covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        open(options).then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        )
      },
    })
  return {
    /** The request is over, with all that belongs to it, when its signal says so. */
    async request(options: ConnectedRequest): Promise<Dispatcher.ResponseData> {
      if (isDestroyed) throw new HttpClientError('The service is closing')
      demand.add(options.origin, options.signal)
      agent ??= startAgent()
      return agent.request(options)
    },
    async destroy(): Promise<void> {
      isDestroyed = true
      await agent?.destroy()
    },
  }
}

/**
 * The library connects once more for a request that was aborted, and forgets the idle connection
 * (https://github.com/nodejs/undici/issues/5845).
 */
function unwanted(): Error {
  return new HttpClientError('The request was cancelled before it was connected')
}

function startConnection(options: buildConnector.Options, addresses: readonly string[]): Socket {
  const { hostname, protocol } = options
  const where = { host: hostname, port: portOf(options), lookup: answerWith(addresses) }
  if (protocol !== 'https:') return connect({ ...where, noDelay: true })
  const servername = isIP(hostname) === 0 ? hostname.replace(/\.+$/, '') : ''
  return connectTls({ ...where, servername, ALPNProtocols: ['http/1.1'] }).setNoDelay()
}

function settled(socket: Socket, protocol: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket
      .setTimeout(connectMs, () => {
        socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }))
      })
      .once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        socket.setTimeout(silenceMs)
        resolve(socket)
      })
      .on('error', reject)
  })
}

/** The port of an address; without one, that of its scheme. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** Stands in for the resolver of the socket, which asks for one address or for all. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    if (all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
}

interface OriginWaiters {
  count: number
  readonly giveUps: Set<() => void>
}

/** Counts the requests that wait by origin, and drops an origin without any. */
function createPendingOrigins() {
  const waiters = new Map<string, OriginWaiters>()

  function remove(origin: string, entry: OriginWaiters): void {
    entry.count--
    if (entry.count > 0) return
    waiters.delete(origin)
    for (const giveUp of entry.giveUps) giveUp()
  }

  return {
    /** Adds a request that waits for an origin until the signal. */
    add(origin: string, signal: AbortSignal): void {
      if (signal.aborted) return
      const entry = waiters.get(origin) ?? { count: 0, giveUps: new Set() }
      entry.count++
      waiters.set(origin, entry)
      signal.addEventListener('abort', () => remove(origin, entry), { once: true })
    },
    isOver: (origin: string) => !waiters.has(origin),
    /** Waits for something that is cancelled when no request waits for the origin any more. */
    async whileWanted<T>(origin: string, work: Promise<T>, giveUp: () => void): Promise<T> {
      const giveUps = waiters.get(origin)?.giveUps
      giveUps?.add(giveUp)
      return work.finally(() => giveUps?.delete(giveUp))
    },
  }
}

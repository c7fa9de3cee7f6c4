import { Cluster, Redis, type RedisOptions } from 'ioredis'

/** The client, of one server or of a cluster. */
export type RedisClient = Redis | Cluster

/** How long a call may take until the request that waits for it is refused. */
export const commandTimeoutMs = 1000

const connectTimeoutMs = 500

/** A server that reads and never answers is connected to anew. */
const silenceMs = 3000

/** Milliseconds until a connection is tried again. */
const retryStrategy = (times: number) => Math.min(times * 50, 500)

/** Nothing waits for a server that is away, and nothing is repeated unasked: an outcome may be unknown. */
const bounded = {
  connectTimeout: connectTimeoutMs,
  commandTimeout: commandTimeoutMs,
  socketTimeout: silenceMs,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy,
} satisfies RedisOptions

/** A client for calls. It is not connected yet, and does so on its own. */
export function createRedisClient(url: string, isCluster: boolean): RedisClient {
  const client = makeClient(url, isCluster)
  // Each call whose connection broke waits for the next one.
  client.setMaxListeners(0)
  return client
}

function makeClient(url: string, isCluster: boolean): RedisClient {
  if (!isCluster) return new Redis(url, { ...bounded, enableAutoPipelining: true })
  const { hostname, port, protocol, username, password } = new URL(url)
  return new Cluster([{ host: hostname, port: Number(port || 6379) }], {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    redisOptions: {
      ...bounded,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  })
}

/** A client that listens to channels. In a cluster any server passes on what is said to the others. */
export function createListeningClient(url: string): Redis {
  // Nothing comes for as long as nothing happens.
  const { socketTimeout, ...options } = bounded
  return new Redis(url, options)
}

/** Waits for a connection; rejects with why there is none. */
export function untilReady(client: RedisClient, timeoutMs: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  return new Promise((resolve, reject) => {
    let reason: Error | undefined
    const noteError = (error: Error) => {
      reason = error
    }
    const end = (finish: () => void) => {
      clearTimeout(timer)
      client.off('ready', becomeReady)
      client.off('error', noteError)
      finish()
    }
    const becomeReady = () => end(resolve)
    const giveUp = () => end(() => reject(reason ?? new Error('it does not answer in time')))
    const timer = setTimeout(giveUp, timeoutMs)
    client.on('ready', becomeReady)
    client.on('error', noteError)
  })
}

import { Redis } from 'ioredis'
import { createStoreHealth, type StoreHealth, type StoreReport } from '../../store-health.ts'
import { probeKeys } from '../conversation-keys.ts'
import { refusalOfServer } from '../refusal-of-server.ts'
import type { Script } from '../scripts/define-script.ts'
import { probeScript } from '../scripts/upkeep-scripts.ts'
import {
  commandTimeoutMs,
  createListeningClient,
  createRedisClient,
  type RedisClient,
  untilReady,
} from './redis-client.ts'
import { errorOfCall, isReply } from './redis-health.ts'
import { checkServer } from './server-check.ts'

/** Redis as the stores use it: scripts, and channels that say that there is something to look at. */
export interface RedisConnection {
  /**
   * Runs a script whose keys are in one slot. It is run again when the connection broke on the way, so it has to come to
   * the same when it is repeated. Throws SERVICE_UNAVAILABLE within about a second when Redis can't be used.
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Hears what is said on a channel from the moment it resolves. */
  listen(channel: string): Promise<void>
  ignore(channel: string): void
  /** Hands what is heard to a listener, which takes the place of the one before. */
  attach(listener: ChannelListener): void
  /** Whether it can be written. */
  readonly health: Pick<StoreHealth, 'problem' | 'problems'>
  /** For what has commands of its own. */
  readonly client: RedisClient
  close(): void
}

/** Who hears what is said on channels. */
export interface ChannelListener {
  message(channel: string, text: string): void
  /** Something may have been said that was not heard. */
  missed(): void
}

export interface RedisConnectionOptions {
  readonly url: string
  readonly report: StoreReport
}

/** Whether the caller was refused meanwhile. */
type IsGivenUp = () => boolean

/** How long a server may take at the start, and a connection to be there again for a call that lost it. */
const startMs = 5000
const reconnectMs = 300

/** Connects. Rejects in words when there is no server, or one that is too old. */
export async function connectRedis({ url, report }: RedisConnectionOptions): Promise<RedisConnection> {
  const facts = await examine(url)
  for (const warning of facts.warnings) report.warn({}, `${facts.name} at REDIS_URL: ${warning}`)
  const client = createRedisClient(url, facts.isCluster)
  const ears = createListeningClient(url)
  const channels = new Set<string>()
  let isClosed = false
  let listener: ChannelListener | undefined
  const health = createStoreHealth({
    report,
    wellAgain: 'Redis can be used again',
    probe: () => Promise.all(probeKeys(facts.isCluster).map((key) => run(probeScript, [key], []))),
  })
  for (const each of [client, ears]) each.on('error', () => undefined)
  ears.on('message', (channel, text) => listener?.message(channel, text))
  ears.on('ready', () => {
    if (channels.size === 0) return
    ears.subscribe(...channels).then(
      () => listener?.missed(),
      () => undefined,
    )
  })
  await Promise.all([untilReady(client, startMs), untilReady(ears, startMs)])
  report.info({ server: facts.name, cluster: facts.isCluster }, 'conversations are kept in Redis')

  async function evaluate(
    { sha, text }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    isGivenUp: IsGivenUp,
  ) {
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...args)
    } catch (error) {
      const isUnknown = isReply(error) && (error as Error).message.startsWith('NOSCRIPT')
      // A caller that gave up takes back what may have been done: nothing is done after that.
      if (!isUnknown || isGivenUp()) throw error
      return client.call('EVAL', text, keys.length, ...keys, ...args)
    }
  }

  async function attempt<T>(call: (isGivenUp: IsGivenUp) => Promise<T>, isRepeated = false): Promise<T> {
    try {
      if (isRepeated) await untilReady(client, reconnectMs)
      const reply = await inTime(call)
      health.served()
      return reply
    } catch (error) {
      if (isRepeated || isClosed || !isBroken(error)) throw errorOfCall(error, health)
      return attempt(call, true)
    }
  }

  const run: RedisConnection['run'] = (script, keys, args) =>
    attempt((isGivenUp) => evaluate(script, keys, args, isGivenUp))

  return {
    run,
    async listen(channel) {
      channels.add(channel)
      // Without a connection it is done once there is one.
      if (ears.status === 'ready') await ears.subscribe(channel).catch(() => undefined)
    },
    ignore(channel) {
      channels.delete(channel)
      if (ears.status === 'ready') ears.unsubscribe(channel).catch(() => undefined)
    },
    attach(next) {
      listener = next
    },
    health,
    client,
    close() {
      isClosed = true
      client.disconnect()
      ears.disconnect()
    },
  }
}

/** The client counts from when it sends a call, which it does once those before it were answered or given up. */
function inTime<T>(call: (isGivenUp: IsGivenUp) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false
    const timer = setTimeout(() => {
      isGivenUp = true
      reject(new Error('Command timed out'))
    }, commandTimeoutMs)
    call(() => isGivenUp).then(
      (reply) => {
        clearTimeout(timer)
        resolve(reply)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Whether the connection broke, so that it is not known what became of a call. One that timed out may still come. */
function isBroken(error: unknown): boolean {
  return !isReply(error) && !/timed out/.test((error as Error).message)
}

/** Reads what kind of server it is, over a connection of its own. */
async function examine(url: string) {
  const first = new Redis(url, { connectTimeout: startMs, lazyConnect: true, retryStrategy: () => null })
  let reason: Error | undefined
  first.on('error', (error) => {
    reason = error
  })
  try {
    await first.connect()
    return await checkServer(first)
  } catch (error) {
    const said = isReply(error) ? undefined : await refusalOfServer(url)
    throw new Error(`REDIS_URL can't be used: ${said ?? (reason ?? (error as Error)).message}`)
  } finally {
    first.disconnect()
  }
}

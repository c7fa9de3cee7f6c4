import { type Announcements, createAnnouncements, type Relay } from '../announcements.ts'
import type { ConversationStore } from '../conversation-store.ts'
import type { ResultStore } from '../result-store.ts'
import type { StoreReport } from '../store-health.ts'
import { connectRedis, type RedisConnection } from './connection/redis-connection.ts'
import { createOutbox, type Outbox } from './outbox/outbox.ts'
import { createOutboxResults } from './outbox/outbox-results.ts'
import type { ResultSink } from './outbox/result-sink.ts'
import { openRedisConversations, type RedisBounds } from './redis-conversation-store.ts'
import { countUsage } from './redis-usage.ts'
import { createRequestCounts, type RequestCounts } from './request-counts.ts'
import { createRedisSubscriptions, type RedisSubscriptions } from './subscriptions.ts'

export interface RedisStoresOptions {
  readonly url: string
  readonly report: StoreReport
  readonly bounds: Omit<RedisBounds, 'leaseMs' | 'pollMs'>
  /** Where results are written and read. */
  readonly sink: ResultSink
  readonly results: ResultStore
}

/** Conversations in Redis, and the results that they write elsewhere. */
export interface RedisStores {
  readonly conversations: ConversationStore
  readonly results: ResultStore
  readonly counts: RequestCounts
  readonly announcements: Announcements
  /** Why nothing can be kept; empty when it can. */
  problems(): Promise<readonly string[]>
  /** To be called once the conversations are no longer used. */
  close(): Promise<void>
}

/** A process that ends holds its conversations up for so long. */
const leaseMs = 8000

const pollMs = 1000

/** A process that runs has written what it committed long before. */
const overdueMs = 10_000

/** How often a process looks for what others left behind. */
const upkeepMs = 5000

/** Connects to Redis. Rejects in words when it can't be used. */
export async function openRedisStores(options: RedisStoresOptions): Promise<RedisStores> {
  const { url, report, sink, results } = options
  const bounds = { ...options.bounds, leaseMs, pollMs }
  const connection = await connectRedis({ url, report })
  const subscriptions = createRedisSubscriptions(connection)
  const outbox = createOutbox({ connection, sink, report, overdueMs })
  const upkeep = startUpkeep(connection, outbox, bounds.ttlMs)
  return {
    conversations: await openRedisConversations({ connection, subscriptions, outbox, sink, bounds }),
    results: createOutboxResults(results, outbox),
    counts: createRequestCounts(connection),
    announcements: createAnnouncements(createRelay(connection, subscriptions)),
    problems: connection.health.problems,
    async close() {
      await upkeep.stop()
      connection.close()
    },
  }
}

const announcementChannel = 'announcements'

function createRelay({ client }: RedisConnection, { listen }: RedisSubscriptions): Relay {
  return {
    publish: (text) => client.publish(announcementChannel, text),
    subscribe(listener) {
      const listening = listen(announcementChannel, listener)
      return () => void listening.then((end) => end())
    },
  }
}

/** Does what no request does: writes what ended processes have committed, and forgets what has expired. */
function startUpkeep(connection: RedisConnection, outbox: Outbox, ttlMs: number) {
  let running: Promise<unknown> = Promise.resolve()
  const step = async () => {
    await outbox.drainOverdue()
    await countUsage(connection, ttlMs)
  }
  const timer = setInterval(() => {
    // What can't be done now is done next time; the connection reports why.
    running = running.then(step).catch(() => undefined)
  }, upkeepMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}

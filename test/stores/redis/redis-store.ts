import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import { createMemoryResultStore } from '../../../src/stores/memory/memory-result-store.ts'
import { connectRedis, type RedisConnection } from '../../../src/stores/redis/connection/redis-connection.ts'
import { createOutbox } from '../../../src/stores/redis/outbox/outbox.ts'
import { createOutboxResults } from '../../../src/stores/redis/outbox/outbox-results.ts'
import type { ResultSink } from '../../../src/stores/redis/outbox/result-sink.ts'
import {
  openRedisConversations,
  type RedisBounds,
} from '../../../src/stores/redis/redis-conversation-store.ts'
import { enterScript, renewScript } from '../../../src/stores/redis/scripts/enter-scripts.ts'
import { createRedisSubscriptions } from '../../../src/stores/redis/subscriptions.ts'
import type { StoreReport } from '../../../src/stores/store-health.ts'
import type { RedisServer } from '../../support/redis-server.ts'
import { shiftTime } from './shift-time.ts'

const megabyte = 1024 * 1024
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined }

export const bounds: RedisBounds = {
  ttlMs: 60_000,
  answerMs: 50_000,
  leaseMs: 600,
  pollMs: 100,
  maxQueuedTurns: 16,
  maxBytes: megabyte,
  previewMaxBytes: megabyte,
  maxPreviews: 1000,
  maxAnswerBytes: megabyte,
}

/** Results in memory, which know what was written, as the database of several machines does. */
export function createMemorySink() {
  const results = createMemoryResultStore({ maxBytes: megabyte, expiry: undefined })
  const written = new Set<string>()
  const once = (name: string) => !written.has(name) && written.add(name)
  const sink: ResultSink = {
    async write(turns) {
      for (const { key, updates } of turns) results.apply(updates.filter(({ id }) => once(`${id} ${key}`)))
    },
    appendLogs: results.appendLogs,
  }
  return { results, sink }
}

/** A connection of a process that can be ended: nothing that it would do by itself happens any more. */
function mortal(connection: RedisConnection) {
  let isDead = false
  const never = new Promise<never>(() => undefined)
  const wrapped: RedisConnection = {
    ...connection,
    run: (script, keys, args) =>
      isDead && (script === enterScript || script === renewScript)
        ? never
        : connection.run(script, keys, args),
    attach: ({ message, missed }) =>
      connection.attach({
        message: (channel, text) => !isDead && message(channel, text),
        missed: () => !isDead && missed(),
      }),
  }
  return {
    connection: wrapped,
    end: () => {
      isDead = true
    },
  }
}

interface Changed extends Partial<RedisBounds> {
  readonly sink?: (inMemory: ResultSink) => ResultSink
  readonly report?: StoreReport
  /** All of a cluster. */
  readonly servers?: readonly Pick<RedisServer, 'client'>[]
}

/** Opens the stores of a server, which is emptied before. */
export async function openRedis(
  server: Pick<RedisServer, 'client'> & { readonly url: string },
  { sink: given, report = silent, servers = [server], ...changed }: Changed = {},
) {
  for (const { client } of servers) await client.flushall()
  const { results, sink: inMemory } = createMemorySink()
  const sink = given?.(inMemory) ?? inMemory
  const used = { ...bounds, ...changed }
  const connections: RedisConnection[] = []
  const ends = new Map<ConversationStore, () => void>()

  async function connect() {
    const connection = await connectRedis({ url: server.url, report })
    connections.push(connection)
    return connection
  }

  const reader = await connect()
  const outboxOf = (connection: RedisConnection) =>
    createOutbox({ connection, sink, report: silent, overdueMs: 3000 })

  return {
    async open(): Promise<ConversationStore> {
      const { connection, end } = mortal(await connect())
      const store = await openRedisConversations({
        connection,
        subscriptions: createRedisSubscriptions(connection),
        outbox: outboxOf(connection),
        sink,
        bounds: used,
      })
      ends.set(store, end)
      return store
    },
    kill: (store: ConversationStore) => ends.get(store)?.(),
    connection: reader,
    outbox: outboxOf(reader),
    kept: results,
    results: createOutboxResults(results, outboxOf(reader)),
    ttlMs: used.ttlMs,
    answerMs: used.answerMs,
    leaseMs: used.leaseMs,
    async advance(ms: number) {
      if (ms <= used.leaseMs * 2) await new Promise((resolve) => setTimeout(resolve, ms))
      else for (const { client } of servers) await shiftTime(client, ms)
    },
    close() {
      for (const connection of connections) connection.close()
    },
  }
}

import type { ResultWriter } from '../stores/postgres/results/result-writer.ts'
import { openRedisStores } from '../stores/redis/open-redis.ts'
import type { ResultSink } from '../stores/redis/outbox/result-sink.ts'
import { type BackEnd, type BackEndOptions, repeatableMs } from './back-end.ts'
import { openSharedDatabase } from './open-postgres-back-end.ts'

/** Opens Redis for conversations, and a database for what they leave behind. */
export async function openRedisBackEnd(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string },
  options: BackEndOptions,
): Promise<BackEnd> {
  const { config, log } = options
  const shared = await openSharedDatabase(databaseUrl, options)
  const { database, writer, results, definitions, flowTable, uploadCounts, close } = shared
  const { memory } = config
  const { ttlMs, max, maxQueuedTurns } = config.sessions
  const bounds = {
    ttlMs,
    answerMs: repeatableMs,
    maxQueuedTurns,
    maxBytes: memory.sessions,
    previewMaxBytes: memory.previews,
    maxPreviews: max,
    maxAnswerBytes: memory.answers,
  }
  try {
    const redis = await openRedisStores({
      url: redisUrl,
      report: log,
      bounds,
      sink: writeTo(writer),
      results,
    })
    return {
      conversations: redis.conversations,
      results: redis.results,
      definitions,
      flowTable,
      uploadCounts,
      sharedCounts: redis.counts,
      announcements: redis.announcements,
      problems: redis.problems,
      notices: async () =>
        (await database.problems()).map(
          (problem) => `${problem}: what turns change about results waits in Redis`,
        ),
      async close() {
        await redis.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The writer remembers the keys of turns, so that a turn is written once. */
function writeTo({ writeResultUpdates, appendClientLogs }: ResultWriter): ResultSink {
  return {
    async write(turns) {
      // One after the other, as those of one conversation change one result.
      for (const { key, updates } of turns) await writeResultUpdates(key, updates)
    },
    appendLogs: appendClientLogs,
  }
}

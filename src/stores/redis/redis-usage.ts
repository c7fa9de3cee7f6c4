import type { ConversationUsage } from '../conversation-store.ts'
import type { RedisConnection } from './connection/redis-connection.ts'
import { keysOfSlot, liveTags, previewTag } from './conversation-keys.ts'
import { sweepScript } from './scripts/upkeep-scripts.ts'

type Counts = readonly [entries: number, bytes: number, evicted: number, answers: number, answerBytes: number]

/** Counts what there is, over all processes. What has expired is taken out of the indexes on the way. */
export async function countUsage(
  { run }: Pick<RedisConnection, 'run'>,
  ttlMs: number,
): Promise<ConversationUsage> {
  const count = (tag: string) => {
    const { index, gone, tallies } = keysOfSlot(tag)
    return run(sweepScript, [index, gone, tallies], [ttlMs]) as Promise<Counts>
  }
  const [previews, ...live] = await Promise.all([previewTag, ...liveTags].map(count))
  const sum = (place: number, counts: readonly (Counts | undefined)[] = live) =>
    counts.reduce((total, each) => total + (each?.[place] ?? 0), 0)
  const usage = (place: number, counts?: readonly (Counts | undefined)[]) => ({
    entries: sum(place, counts),
    bytes: sum(place + 1, counts),
  })
  return {
    live: { ...usage(0), evicted: 0 },
    previews: { ...usage(0, [previews]), evicted: previews?.[2] ?? 0 },
    answers: { ...usage(3, [previews, ...live]), evicted: 0 },
  }
}

import { LRUCache } from 'lru-cache'
import type { Log } from '../../../schemas/log.ts'

/** Characters of logs that clients may add to one result in a minute: far more than a page has to tell. */
const mostCharacters = 16 * 1024

/** Results that are counted; the least recently used is forgotten first. Some MiB. */
const mostResults = 20_000

const minuteMs = 60_000

export type ClientLogRoom = ReturnType<typeof createClientLogRoom>

/** Bounds the logs of clients: any client can send them, and each is kept as long as the result. */
export function createClientLogRoom() {
  // By `max` there would be lists for so many at once.
  const results = new LRUCache<string, { readonly minute: number; used: number }>({
    maxSize: mostResults,
    sizeCalculation: () => 1,
  })
  return {
    /** Those of the logs, from the first on, that the result has room for in this minute, which they then take. */
    fit(resultId: string, logs: readonly Log[], now: number): readonly Log[] {
      const minute = Math.floor(now / minuteMs)
      const known = results.get(resultId)
      const room = known?.minute === minute ? known : { minute, used: 0 }
      results.set(resultId, room)
      return logs.filter((log) => {
        const size = sizeOf(log)
        // Whatever one log may have, the first of a minute is kept.
        if (room.used > 0 && room.used + size > mostCharacters) return false
        room.used += size
        return true
      })
    },
  }
}

/** Details are cut where results are kept. */
function sizeOf({ description, details = '', context = '' }: Log): number {
  return description.length + Math.min(details.length, 1_000) + context.length
}

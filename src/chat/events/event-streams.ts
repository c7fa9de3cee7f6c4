import type { StoreUsage } from '../../ports/known-types.ts'

/** Streams of events that one session may have at once: a few tabs. */
const mostOfSession = 5

/** What a stream takes beside its connection: the request and its answer, the walk through the events, two timers. */
export const eventStreamBytes = 16 * 1024

/** The streams of events that are open. */
export interface EventStreams {
  /** Counts a stream until its signal is aborted; false for one too many, of the session or in all. */
  admit(sessionId: string, signal: AbortSignal): boolean
  /** What was refused counts as evicted. */
  usage(): StoreUsage
}

/** Bounds the streams of events of this process: each holds a connection for as long as half an hour. */
export function createEventStreams({ max }: { readonly max: number }): EventStreams {
  const counts = new Map<string, number>()
  let total = 0
  let refused = 0
  return {
    admit(id, signal) {
      const count = counts.get(id) ?? 0
      if (count >= mostOfSession || total >= max) {
        refused += 1
        return false
      }
      counts.set(id, count + 1)
      total += 1
      const leave = () => {
        const left = (counts.get(id) ?? 1) - 1
        if (left === 0) counts.delete(id)
        else counts.set(id, left)
        total -= 1
      }
      signal.addEventListener('abort', leave, { once: true })
      return true
    },
    usage: () => ({ entries: total, bytes: total * eventStreamBytes, evicted: refused }),
  }
}

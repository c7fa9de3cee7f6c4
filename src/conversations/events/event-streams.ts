import type { StoreUsage } from '../../ports/known-types.ts'
import { createCounts, createPlaces } from './places.ts'

/** Streams of events that one session may have at once: a few tabs. */
const mostOfSession = 5

/** Memory of a stream beside its connection: the request and its answer, the queue of its events, two timers. */
export const eventStreamBytes = 16 * 1024

/** Stream of a session for a client, open until its signal is aborted. */
interface EventStream {
  readonly sessionId: string
  readonly address: string
  readonly signal: AbortSignal
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** Bounds the streams of events of this process: each holds a connection for as long as half an hour. */
export function createEventStreams({ max }: { readonly max: number }) {
  const places = createPlaces(max)
  const counts = createCounts()
  let refused = 0
  return {
    /** Counts a stream until it ends; false for one too many: of the session, of the address, or in all. */
    admit({ sessionId, address, signal }: EventStream): boolean {
      const giveBack = counts.of(sessionId) < mostOfSession ? places.take(address) : undefined
      if (!giveBack) {
        refused += 1
        return false
      }
      counts.add(sessionId, 1)
      const leave = () => {
        counts.add(sessionId, -1)
        giveBack()
      }
      signal.addEventListener('abort', leave, { once: true })
      return true
    },
    /** Counts refused streams as evicted. */
    usage: (): StoreUsage => ({
      entries: places.taken,
      bytes: places.taken * eventStreamBytes,
      evicted: refused,
    }),
  }
}

import type { StoreUsage } from '../../ports/known-types.ts'
import { createPlaces } from './places.ts'

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

/** The streams of events that are open. */
export interface EventStreams {
  /** Counts a stream until it ends; false for one too many: of the session, of the address, or in all. */
  admit(stream: EventStream): boolean
  /** Counts refused streams as evicted. */
  usage(): StoreUsage
}

/** Bounds the streams of events of this process: each holds a connection for as long as half an hour. */
export function createEventStreams({ max }: { readonly max: number }): EventStreams {
  const places = createPlaces(max)
  const counts = new Map<string, number>()
  let refused = 0
  return {
    admit({ sessionId, address, signal }) {
      const count = counts.get(sessionId) ?? 0
      const giveBack = count < mostOfSession ? places.take(address) : undefined
      if (!giveBack) {
        refused += 1
        return false
      }
      counts.set(sessionId, count + 1)
      const leave = () => {
        const left = (counts.get(sessionId) ?? 1) - 1
        if (left === 0) counts.delete(sessionId)
        else counts.set(sessionId, left)
        giveBack()
      }
      signal.addEventListener('abort', leave, { once: true })
      return true
    },
    usage: () => ({ entries: places.taken, bytes: places.taken * eventStreamBytes, evicted: refused }),
  }
}

import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../lib/errors.ts'

/** Streams that a session may ask for each time that it waits, and in all: they are the operator's cost. */
const mostOfVisit = 5
const mostOfSession = 200

/** Sessions of this process that are counted; the one that streamed longest ago is forgotten first. */
const mostCounted = 10_000

/** A stream that runs. */
export interface RunningStream {
  /** The state of the session from which its answer was asked. */
  readonly state: string
  /** Ends it for one that comes when the conversation has gone on. */
  readonly overtaken: AbortController
}

/** The streams of this process, and how many each session has asked for. */
export interface Streams {
  readonly running: Map<string, RunningStream>
  readonly counts: LRUCache<string, StreamCount>
}

export function createStreams(): Streams {
  // By `max` there would be lists for so many at once.
  return { running: new Map(), counts: new LRUCache({ maxSize: mostCounted, sizeCalculation: () => 1 }) }
}

/** Open stream of a session. */
export interface StreamCount {
  /** As what it waits for is known now: keeping an answer changes the state, and makes no new visit of it. */
  visit: string
  ofVisit: number
  ofSession: number
}

/** Counts one more stream. Throws TOO_MANY_REQUESTS, and counts nothing, when there were enough. */
export function countOne(id: string, state: string, counts: LRUCache<string, StreamCount>): StreamCount {
  const count = counts.get(id) ?? { visit: state, ofVisit: 0, ofSession: 0 }
  if (count.visit !== state) Object.assign(count, { visit: state, ofVisit: 0 })
  if (count.ofVisit >= mostOfVisit || count.ofSession >= mostOfSession) {
    throw new ServiceError(
      'TOO_MANY_REQUESTS',
      `An answer is streamed ${mostOfVisit} times at most while a session waits, and ${mostOfSession} times in all`,
    )
  }
  count.ofVisit += 1
  count.ofSession += 1
  counts.set(id, count)
  return count
}

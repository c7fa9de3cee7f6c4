import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoreUsage } from '../../../ports/known-types.ts'

/** Bytes up to which a body always has room: the bound on connections bounds these, and continues are such. */
export const shortBody = 16 * 1024

/** Bytes from which a body keeps its room until it is answered: what is made of it takes several times as much. */
const longBody = 256 * 1024

/** Milliseconds without a byte after which an unfinished body makes room for one that does arrive. */
const stallMs = 1_000

/** A body that holds memory. */
export interface HeldBody {
  readonly request: FastifyRequest
  /** Bytes of memory, at least those that have arrived. */
  bytes: number
  /** When the latest byte came in, by the clock of the room. */
  arrivedMs: number
  /** Ends a body that has stalled; undefined once it is complete. */
  giveUp: (() => void) | undefined
}

interface BodyRoomOptions {
  /** Bytes of all bodies; a single one always has enough. */
  readonly maxBytes: number
  /** Milliseconds from any fixed moment. */
  readonly elapsed: () => number
}

export type BodyRoom = ReturnType<typeof createBodyRoom>

/** Counts the memory of all request bodies together, from their first byte until they are answered. */
export function createBodyRoom({ maxBytes, elapsed }: BodyRoomOptions) {
  /** Those that are too long to be let in without a look, oldest first. */
  const counted = new Map<FastifyRequest, HeldBody>()
  let entries = 0
  let taken = 0
  let evicted = 0

  function change(body: HeldBody, bytes: number): void {
    if (body.bytes === 0) entries += 1
    if (bytes === 0) entries -= 1
    taken += bytes - body.bytes
    body.bytes = bytes
  }

  function giveBack(body: HeldBody): void {
    if (body.bytes === 0) return
    if (body.bytes > shortBody) counted.delete(body.request)
    change(body, 0)
  }

  function evictStalled(now: number): boolean {
    for (const body of counted.values()) {
      if (!body.giveUp || now - body.arrivedMs < stallMs) continue
      evicted += 1
      giveBack(body)
      body.giveUp()
      return true
    }
    return false
  }

  return {
    /** Lets a body hold so many bytes, in place of what it held; false while others have all the room. */
    take(body: HeldBody, bytes: number): boolean {
      if (bytes > shortBody) {
        body.arrivedMs = elapsed()
        // Its own share does not stand in its way.
        while (taken > body.bytes && taken - body.bytes + bytes > maxBytes) {
          if (!evictStalled(body.arrivedMs)) return false
        }
        counted.set(body.request, body)
      }
      change(body, bytes)
      return true
    },
    /** Notes that a body is complete. A long one keeps its room until it is answered. */
    settle(body: HeldBody): void {
      body.giveUp = undefined
      if (body.bytes <= longBody) giveBack(body)
    },
    giveBack,
    /** The bodies that are too long to be let in without a look. */
    counted: counted as ReadonlyMap<FastifyRequest, HeldBody>,
    /** Has the room of a request given back when it is answered, or given up. */
    giveBackAfter(request: FastifyRequest, { raw }: FastifyReply): void {
      const body = counted.get(request)
      if (!body) return
      if (raw.closed) giveBack(body)
      else raw.once('close', () => giveBack(body))
    },
    usage: (): StoreUsage => ({ entries, bytes: taken, evicted }),
  }
}

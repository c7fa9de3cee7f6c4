import type { FastifyInstance } from 'fastify'
import { ServiceError, tooManyHeavy } from '../../lib/errors.ts'
import type { HeavyTurns, Load, LoadShares, MeasuredLoad } from '../../ports/load-port.ts'

/** Load above which the process takes on no more. */
export interface LoadLimits {
  readonly delayMs: number
  readonly heapBytes: number
  readonly rssBytes: number
}

/** Refuses requests to the routes of `scope` while the process is overloaded, before their bodies are read. */
export function shedLoad(scope: FastifyInstance, load: Load, limits: LoadLimits): void {
  scope.addHook('onRequest', (_request, _reply, done) => {
    const isBearable =
      load.delayMs <= limits.delayMs && load.heapBytes <= limits.heapBytes && load.rssBytes <= limits.rssBytes
    done(
      isBearable
        ? undefined
        : new ServiceError(
            'SERVICE_UNAVAILABLE',
            'Overloaded: event loop, heap or memory above its limit; try again later',
          ),
    )
  })
}

/** The queue of heavy turns, as far as it decides which requests are refused. */
interface HeavyLoad {
  readonly isFull: boolean
  readonly hasRefused: boolean
}

/**
 * Refuses requests to the routes of `scope` while the queue of heavy turns of its kind is full, before their bodies are
 * read: which of them are light is known only once they have run.
 */
export function shedWhileFull(scope: FastifyInstance, heavy: HeavyTurns): void {
  scope.addHook('onRequest', (_request, _reply, done) => {
    done(heavy.admit('start') ? undefined : tooManyHeavy())
  })
}

/** Names the requests that are refused, where some were within the last seconds. */
export function describeHeavyTurns(
  { isFull, hasRefused }: HeavyLoad,
  consequence: string,
): readonly string[] {
  return isFull || hasRefused ? [`${consequence}: too many requests that take long wait to go on`] : []
}

/** For conversations under way, which are the last to be refused. */
export function limitsForOngoing({ delayMs, heapBytes, rssBytes }: LoadLimits): LoadLimits {
  return { delayMs: delayMs * 2, heapBytes: heapBytes * 1.08, rssBytes: rssBytes * 1.05 }
}

/** Describes the overload for operators. */
export function describeOverload(load: Load, limits: LoadLimits): readonly string[] {
  const reasons: string[] = []
  if (load.delayMs > limits.delayMs) {
    reasons.push(`The event loop is late by ${Math.round(load.delayMs)} ms, more than ${limits.delayMs}`)
  }
  if (load.heapBytes > limits.heapBytes) {
    reasons.push(`The heap holds ${load.heapBytes} bytes, more than ${limits.heapBytes}`)
  }
  if (load.rssBytes > limits.rssBytes) {
    reasons.push(`The process holds ${load.rssBytes} bytes of memory, more than ${limits.rssBytes}`)
  }
  return reasons
}

/** The load of a process for who scales by it; `queue` is the share of the room for turns that take long. */
export function loadShares(load: MeasuredLoad, limits: LoadLimits, queue: number): LoadShares {
  const memory = Math.max(load.heapBytes / limits.heapBytes, load.rssBytes / limits.rssBytes)
  const loop = Math.max(load.utilization, load.delayMs / limits.delayMs)
  return { loop: Math.min(1, loop), memory: Math.min(1, memory), queue }
}

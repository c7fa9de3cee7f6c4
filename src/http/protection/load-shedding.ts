import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { Load } from '../../ports.ts'

/** What the process may carry before it takes on no more. */
export interface LoadLimits {
  readonly delayMs: number
  readonly heapBytes: number
  readonly rssBytes: number
}

/** Refuses what comes to the routes of `scope` while the process carries more than it may, before anything is read. */
export function shedLoad(scope: FastifyInstance, load: Load, limits: LoadLimits): void {
  scope.addHook('onRequest', (_request, _reply, done) => {
    const isBearable =
      load.delayMs <= limits.delayMs && load.heapBytes <= limits.heapBytes && load.rssBytes <= limits.rssBytes
    done(isBearable ? undefined : new ServiceError('SERVICE_UNAVAILABLE', 'The service has too much to do'))
  })
}

/** For conversations under way, which are the last to be refused. */
export function limitsForOngoing({ delayMs, heapBytes, rssBytes }: LoadLimits): LoadLimits {
  return { delayMs: delayMs * 2, heapBytes: heapBytes * 1.08, rssBytes: rssBytes * 1.05 }
}

/** Tells operators what is too much. */
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

import type { Metrics } from '../ports/metrics-port.ts'
import type { RequestObserver } from './request-log.ts'

/** Methods that are counted separately where there is no route: the protocol has many more, and callers choose. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts the requests of each route; those that lead to none are counted as one route. */
export function createRequestObserver(requestAnswered: Metrics['requestAnswered']): RequestObserver {
  return ({ method, route, status, ms }) => {
    const isCountedApart = route !== 'unknown' || usualMethods.has(method)
    requestAnswered({ method: isCountedApart ? method : 'other', route, status, ms })
  }
}

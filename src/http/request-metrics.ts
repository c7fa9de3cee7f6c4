import type { RequestObserver } from './request-log.ts'

/** Makes what counts the answers to one method on one route, by the template of its address. */
export type RequestsOf = (method: string, route: string) => Count

type Count = (status: number, ms: number) => void

/** Methods that are counted separately where there is no route: the protocol has many more, and callers choose. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts what each route is asked; requests that lead to none are counted as one route. */
export function createRequestCounts(requestsOf: RequestsOf): RequestObserver {
  const routes = new Map<string, Map<string, Count>>()

  function countOf(method: string, route: string): Count {
    const methods = routes.get(route) ?? new Map<string, Count>()
    routes.set(route, methods)
    const count = requestsOf(method, route)
    methods.set(method, count)
    return count
  }

  return ({ method: asked, route, status, ms }) => {
    const method = route !== 'unknown' || usualMethods.has(asked) ? asked : 'other'
    const count = routes.get(route)?.get(method) ?? countOf(method, route)
    count(status, ms)
  }
}

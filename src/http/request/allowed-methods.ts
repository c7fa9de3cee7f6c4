import type { FastifyInstance } from 'fastify'

/** Answers which methods an address knows; none for an address that there is not. */
export type AllowedMethods = (path: string) => readonly string[]

/** Collects the methods of all routes that are registered on `app` afterwards. */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    // Preflights are answered anywhere, which makes no address of it.
    if (url === '*') return
    const route = routes.get(url) ?? { path: pathPattern(url), methods: new Set() }
    routes.set(url, route)
    for (const each of [method].flat()) route.methods.add(each)
  })
  return (path) => {
    const found = [...routes.values()].filter((route) => route.path.test(path))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
  }
}

/** Takes the templates of this service alone: parts of a path that are a name or anything, and a rest that is anything. */
function pathPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}

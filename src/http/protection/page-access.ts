import type { FastifyRequest } from 'fastify'

/** Which of its own pages the service shows. */
export type Pages = 'off' | 'visitor' | 'on'

declare module 'fastify' {
  interface FastifyInstance {
    readonly pageAccess: PageAccess
  }
}

/** Who is shown the pages of the service. */
export interface PageAccess {
  pagesFor(request: FastifyRequest): Pages
  /** Whether a page that the service served sends the request, as far as the browser's headers show. */
  isOwnOrigin(request: FastifyRequest): boolean
  /** Whether a browser on this machine sends the request, as far as its headers and address show. */
  isFromHere(request: FastifyRequest): boolean
}

interface Settings {
  /** Undefined: `on` for browsers on this machine. */
  readonly pages: Pages | undefined
  /** Defined where visitors come for pages as they did elsewhere. */
  readonly compat: object | undefined
  readonly publicUrl: string | undefined
}

/** Decides who is shown pages. */
export function createPageAccess({ pages, compat, publicUrl }: Settings): PageAccess {
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  const ofOthers: Pages = compat ? 'visitor' : 'off'
  const pagesFor = (request: FastifyRequest) => pages ?? (isFromHere(request) ? 'on' : ofOthers)
  return {
    pagesFor,
    isFromHere,
    isOwnOrigin(request) {
      const { origin } = request.headers
      if (origin === undefined || pagesFor(request) === 'off') return false
      if (origin === publicOrigin) return true
      // Any name can lead to a public address: where the right one is known, no other counts.
      const isNamedRightly = publicOrigin === undefined || isFromHere(request)
      return isNamedRightly && origin === `${request.protocol}://${request.host}`
    },
  }
}

/** The origin of a request as flows judge it: their own page at `/f` is no other site. */
export function foreignOriginOf(request: FastifyRequest): string | undefined {
  const { origin } = request.headers
  if (origin === undefined || request.server.pageAccess.isOwnOrigin(request)) return undefined
  return origin
}

/** What proxies add: somebody else may then stand behind an address of this machine. */
const signsOfProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** A foreign name that leads to this machine is no way in: the name has to be one that always does. */
function isFromHere({ raw: { headers, socket } }: FastifyRequest): boolean {
  if (signsOfProxies.some((name) => headers[name] !== undefined)) return false
  return isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '')
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address)
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

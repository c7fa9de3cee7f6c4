import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isSame } from './auth.ts'

/** Which of its own pages the service shows. */
type Pages = 'off' | 'visitor' | 'on'

declare module 'fastify' {
  interface FastifyInstance {
    readonly pageAccess: ReturnType<typeof createPageAccess>
  }
}

interface Settings {
  /** Undefined: `visitor` on this machine and with `compat`, else `off`. */
  readonly pages: Pages | undefined
  /** Defined where visitors come for pages as they did elsewhere. */
  readonly compat: object | undefined
  readonly publicUrl: string | undefined
  /** Whether the configuration has the service reached from its own machine alone. */
  readonly isLocal: boolean
}

/**
 * Decides who is shown pages (docs/pages.md), by the configuration and by the token: no header of a request shows that
 * nothing stands between its sender and the service.
 */
export function createPageAccess({ pages, compat, publicUrl, isLocal }: Settings) {
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  const forAll: Pages = pages ?? (isLocal || compat ? 'visitor' : 'off')
  const isForAuthors = pages === undefined || pages === 'on'
  let token = isLocal && isForAuthors ? drawSecret() : undefined
  /** Kept by cookies; no address has it. */
  const secret = drawSecret()
  let announce: (token: string) => void = () => undefined
  const isAuthor = (request: FastifyRequest) => token !== undefined && isSame(cookieIn(request) ?? '', secret)
  const pagesFor = (request: FastifyRequest) => (isAuthor(request) ? 'on' : forAll)
  return {
    /**
     * Opens the pages of authors in one browser; undefined where they are no matter of this machine. A secret, which is
     * printed with the address of the service.
     */
    get token() {
      return token
    },
    /** Takes the token, once: the next one is another. False for any other text. */
    spend(text: string): boolean {
      if (token === undefined || !isSame(text, token)) return false
      token = drawSecret()
      announce(token)
      return true
    },
    /** Tells a listener of each token that stands in the place of one that was spent. */
    onSpent(listener: (token: string) => void): void {
      announce = listener
    },
    /** Whether the request brings the cookie of a browser in which a token was spent. */
    isAuthor,
    pagesFor,
    /** The value of `set-cookie` for a browser that has spent the token: until the process ends, for this service alone, and for no request from another site. */
    cookieFor: (request: FastifyRequest) =>
      `${cookieName(request)}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    /** Whether requests of its own pages can be recognised. */
    hasOrigin: publicOrigin !== undefined || isLocal,
    /** Whether a page that the service served sends the request, as far as the browser's headers show. */
    isOwnOrigin(request: FastifyRequest): boolean {
      const { origin, host } = request.headers
      if (origin === undefined || pagesFor(request) === 'off') return false
      if (origin === publicOrigin) return true
      // Any other name can be made to lead to this machine.
      return isLocal && isLoopbackHost(host ?? '') && origin === `http://${host}`
    },
  }
}

const drawSecret = () => randomBytes(24).toString('base64url')

/** Browsers keep the cookies of all ports of a machine together. */
function cookieName({ socket }: FastifyRequest): string {
  return `flow-runtime-${socket.localPort ?? 0}`
}

function cookieIn(request: FastifyRequest): string | undefined {
  const start = `${cookieName(request)}=`
  const cookie = request.headers.cookie?.split(/; */).find((each) => each.startsWith(start))
  return cookie?.slice(start.length)
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

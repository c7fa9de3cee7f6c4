import { lazyModule } from '../../lib/lazy-module.ts'
import type { ClosedDestination } from '../../ports/http-client-port.ts'

export const undici = lazyModule<typeof import('undici')>('undici')

/** Thrown where flows may not reach; its message names the kind of place, and never an address. */
export class BlockedDestinationError extends Error {}

/** Thrown where they may only once the operator opens the place. */
export class ClosedDestinationError extends BlockedDestinationError implements ClosedDestination {
  readonly isClosedDestination = true
}

/** Thrown when a request fails, with a message of our own: those of libraries contain addresses. */
export class HttpClientError extends Error {
  readonly code: string | undefined
  /** Whether another try may fare better. */
  readonly isTransient: boolean
  readonly isClosedDestination: boolean

  constructor(
    message: string,
    {
      code,
      isTransient = false,
      isClosedDestination = false,
    }: Partial<Omit<HttpClientError, keyof Error>> = {},
  ) {
    super(message)
    this.code = code
    this.isTransient = isTransient
    this.isClosedDestination = isClosedDestination
  }
}

/** Thrown when a request takes longer than it may. */
export class TimeoutError extends Error {
  constructor() {
    super('The request took too long')
  }
}

interface Description {
  readonly message: string
  readonly isTransient: boolean
}

const lost = { message: 'The connection was lost', isTransient: true }
const unreachable = { message: 'The server cannot be reached', isTransient: true }
const silent = { message: 'The server does not take the connection', isTransient: true }
const untrusted = { message: 'The certificate of the server is not trusted', isTransient: false }
const garbled = { message: 'The response is not valid HTTP', isTransient: false }

const undecodable = { message: 'The response cannot be decompressed', isTransient: false }
const unknown = { message: 'The request failed', isTransient: false }

const descriptions: Readonly<Record<string, Description>> = {
  ECONNREFUSED: { message: 'The connection was refused', isTransient: true },
  ECONNRESET: lost,
  ECONNABORTED: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: silent,
  UND_ERR_CONNECT_TIMEOUT: silent,
  UND_ERR_HEADERS_OVERFLOW: { message: 'The headers of the response are too large', isTransient: false },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: garbled,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

const ofDecompression = /^Z_|^ERR_.*BROTLI|^ERR__ERROR/

/** Puts what a library threw into words for the author of a flow. */
export function toHttpClientError(error: unknown): HttpClientError {
  if (error instanceof HttpClientError) return error
  if (error instanceof BlockedDestinationError)
    return new HttpClientError(error.message, {
      isClosedDestination: error instanceof ClosedDestinationError,
    })
  const code = errorCodeOf(error)
  const { message, isTransient } = error instanceof undici().errors.HTTPParserError ? garbled : describe(code)
  return new HttpClientError(message, { ...(code !== undefined && { code }), isTransient })
}

/** The name that the system or a library gives an error. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]*$/.test(code) ? code : undefined
}

function describe(code: string | undefined): Description {
  if (code !== undefined && Object.hasOwn(descriptions, code)) return descriptions[code] ?? unknown
  return code !== undefined && ofDecompression.test(code) ? undecodable : unknown
}

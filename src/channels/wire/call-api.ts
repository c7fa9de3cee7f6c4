import { notBegun } from '../../ports/http-client-port.ts'
import type { CallDependencies, SendProblem } from '../messenger.ts'
import { type Fields, readObject } from './read-wire.ts'

/** A call of a messenger's API. */
interface ApiCall {
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** A form, or sent as JSON; without one the call only asks. */
  readonly body?: object | URLSearchParams
  /** Where the messenger itself fetches something before it answers. */
  readonly timeoutMs?: number
}

export type ApiAnswer =
  | {
      readonly state: 'answered'
      readonly status: number
      /** Empty where it is no object. */
      readonly body: Fields
      readonly retryAfterMs?: number | undefined
    }
  | { readonly state: 'failed'; readonly problem: SendProblem }

const usualTimeoutMs = 15_000

/** An answer is a few lines. */
const maxBytes = 1024 * 1024

/** Failures after which the messenger can't have heard anything. */
const unheard = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  ...['UND_ERR_CONNECT_TIMEOUT', notBegun],
])

/** Calls the API at the operator's address. Never rejects. */
export async function callApi(
  call: ApiCall,
  { http, closing, isOurs }: CallDependencies,
): Promise<ApiAnswer> {
  const { url, body, headers = [], timeoutMs = usualTimeoutMs } = call
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const request = {
    method: body ? 'POST' : 'GET',
    url,
    headers: [...headers, ...(body ? ([['content-type', type]] as const) : [])],
    ...(body && { body: isForm ? body.toString() : JSON.stringify(body) }),
    timeoutMs,
  }
  const mayBegin = isOurs && (() => isOurs(timeoutMs))
  const options = { signal: closing, isTrusted: true, isDirect: true, maxBytes, mayBegin }
  try {
    const response = await http.stream(request, options)
    const pieces: Uint8Array[] = []
    for await (const piece of response.body) pieces.push(piece)
    const { status, retryAfterMs } = response
    return { state: 'answered', status, body: readObject(Buffer.concat(pieces)) ?? {}, retryAfterMs }
  } catch (error) {
    return { state: 'failed', problem: passing(error as Error & { readonly code?: string }) }
  }
}

function passing({ message, code }: Error & { readonly code?: string }): SendProblem {
  const isDoubtful = code === undefined || !unheard.has(code)
  return { kind: 'wait', message, ...(isDoubtful && { isDoubtful }) }
}

import type { HttpClient } from '../../src/ports/http-client-port.ts'
import type { OutgoingRequest, RequestOutcome } from '../../src/ports/known-types.ts'
import { readParts } from '../vendors/read-parts.ts'
import type { Json } from './json.ts'

/** A request that a flow sends to another system, and what comes back, as a conformance case describes them. */
export interface DescribedCall {
  readonly sends: SentRequest
  readonly answer?: { readonly status?: number; readonly json?: unknown; readonly text?: string }
}

/** A request; its body by how it is written. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** By names in lower case, but for `content-type`, which says how the body is read, and the name of the call. */
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Json
  /** Fields of a form in parts, a file as `name: content`. */
  readonly parts?: Json
}

/** A network that takes down what is sent to it, and answers as is described, in order. */
export function createDescribedNetwork(calls: readonly DescribedCall[]) {
  const sent: SentRequest[] = []
  const answerTo = async (request: OutgoingRequest) => {
    const { status = 200, json = {}, text } = calls[sent.length]?.answer ?? {}
    sent.push(await describeRequest(request))
    return { status, text: text ?? JSON.stringify(json) }
  }
  const http: HttpClient = {
    send: async (request): Promise<RequestOutcome> => ({ kind: 'response', ...(await answerTo(request)) }),
    stream: async (request) => {
      const { status, text } = await answerTo(request)
      return { status, body: bytesOf(text) }
    },
    close: async () => undefined,
  }
  return { http, sent }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const unsaid = new Set(['content-type', 'idempotency-key'])

async function describeRequest({ method, url, headers, body, bytes }: OutgoingRequest): Promise<SentRequest> {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  const said = named.filter(([name]) => !unsaid.has(name))
  const type = named.find(([name]) => name === 'content-type')?.[1]
  return {
    ...{ method, url },
    ...(said.length > 0 && { headers: Object.fromEntries(said) }),
    ...(await describeBody(type, bytes ?? Buffer.from(body ?? ''))),
  }
}

async function describeBody(type: string | undefined, bytes: Uint8Array): Promise<Partial<SentRequest>> {
  const text = Buffer.from(bytes).toString()
  if (type === undefined && text === '') return {}
  if (type === 'application/json') return { json: JSON.parse(text) }
  if (type === 'application/x-www-form-urlencoded')
    return { form: Object.fromEntries(new URLSearchParams(text)) }
  if (type?.startsWith('multipart/form-data;')) return { parts: await readParts(type, bytes) }
  throw new Error(`No case can describe a body of the type ${type}`)
}

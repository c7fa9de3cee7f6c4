import { type Check, type DescribedOperation, type Fail, isJson } from './openapi-document.ts'

/** What an operation is called with. */
export interface Call {
  /** By name; the document says where each of them goes. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
  /** A JSON value, or bytes where the document describes no JSON. */
  readonly body?: unknown
}

/** Everything that a request is made from. */
export interface Sending {
  /** With the names of parameters in braces. */
  readonly url: string
  readonly method: string
  readonly described: DescribedOperation
  readonly call: Call
  /** Bearer tokens by the names of security schemes. */
  readonly tokens: Readonly<Record<string, string>>
  readonly check: Check
  /** Fails for a place. */
  readonly failAt: (place: string) => Fail
}

/** Writes a request. Fails for what the document does not describe. */
export function writeRequest(sending: Sending): Request {
  const { url, headers } = placeParameters(sending)
  const body = writeBody(sending)
  const token = tokenFor(sending)
  if (body) headers.set('content-type', body.type)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return new Request(url, {
    method: sending.method.toUpperCase(),
    headers,
    ...(body && { body: body.bytes }),
  })
}

function placeParameters({ url, described, call, check, failAt }: Sending) {
  const given = new Map(Object.entries(call.parameters ?? {}))
  const query = new URLSearchParams()
  const headers = new Headers()
  let path = url
  for (const { name, in: place, required, schema } of described.parameters ?? []) {
    const value = given.get(name)
    given.delete(name)
    if (value === undefined && !required) continue
    check(value, schema, failAt(`parameter ${name}`))
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (place === 'query') query.set(name, String(value))
    else headers.set(name, String(value))
  }
  for (const name of given.keys()) failAt(`parameter ${name}`)('is not described')
  return { url: query.size > 0 ? `${path}?${query}` : path, headers }
}

function writeBody({ described, call, check, failAt }: Sending) {
  const fail = failAt('request body')
  const { requestBody } = described
  if (call.body === undefined) return requestBody?.required ? fail('is missing') : undefined
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? fail('is not described')
  if (!isJson(type)) return { type, bytes: call.body as Uint8Array }
  check(call.body, media.schema ?? {}, fail)
  return { type, bytes: JSON.stringify(call.body) }
}

function tokenFor({ described, tokens }: Sending): string | undefined {
  const schemes = (described.security ?? []).flatMap(Object.keys)
  return schemes.map((scheme) => tokens[scheme]).find((token) => token !== undefined)
}

import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { autoBody } from './auto-body.ts'
import { type JsonBody, type RequestBody, renderJsonBody } from './request-body.ts'

/** A request as its author wrote it. */
export interface RequestTemplate {
  readonly method: string
  readonly url: TextTemplate
  readonly queryParams: KeyValues
  readonly headers: KeyValues
  /** `auto` for all answers and variables. */
  readonly body: JsonBody | 'auto' | undefined
}

/** A request with its values. */
export interface ComposedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | undefined
}

/** Fills in a request (docs/behaviour/integrations.md, "HTTP request"). */
export function* composeRequest(request: RequestTemplate, context: RunContext): Effects<ComposedRequest> {
  const url = addQuery(context.text(request.url), renderKeyValues(request.queryParams, context))
  const headers = composeHeaders(renderKeyValues(request.headers, context))
  const body = yield* composeBody(request.body, context, isFormContentType(headers))
  return { url, method: request.method, headers, body }
}

function* composeBody(
  body: RequestTemplate['body'],
  context: RunContext,
  isForm: boolean,
): Effects<RequestBody | undefined> {
  if (body === 'auto') return { kind: 'json', value: yield* autoBody(context) }
  return body && renderJsonBody(body, context, isForm)
}

/** Rows of a table of query parameters or headers. */
type KeyValues = readonly (readonly [key: TextTemplate, value: TextTemplate])[]

/** Prepares a table of query parameters or headers; `at` is its place inside the block. */
export function compileKeyValues(
  rows: readonly { readonly key?: string; readonly value?: string }[] | undefined,
  at: string,
  context: CompileContext,
): KeyValues {
  return (rows ?? []).map(
    ({ key, value }, index) =>
      [
        context.text(key ?? '', `${at}/${index}/key`),
        context.text(value ?? '', `${at}/${index}/value`),
      ] as const,
  )
}

/** Renders a table; rows whose key or value is empty are left out. */
function renderKeyValues(rows: KeyValues, context: RunContext): (readonly [string, string])[] {
  return rows
    .map(([key, value]) => [context.text(key), context.text(value)] as const)
    .filter(([key, value]) => key !== '' && value !== '')
}

/** Headers that belong to the connection: an author's value would break the request. */
const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
])

/** The headers of a request: the last of a name counts, and user and password of basic auth are encoded. */
function composeHeaders(rows: readonly (readonly [string, string])[]): Record<string, string> {
  const composed = rows
    .filter(([name]) => !belongsToConnection(name.toLowerCase()))
    .map(([name, value]) => [name, isAuthorization(name) ? encodeBasic(value) : value] as const)
  return Object.fromEntries(composed)
}

/** Whether the body is announced as a form; names of headers and of types are compared without case. */
export function isFormContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && value.toLowerCase().includes('x-www-form-urlencoded'),
  )
}

/** Adds the type of the body where the author does not name one. */
export function withContentType(
  headers: readonly (readonly [string, string])[],
  contentType: string | undefined,
): readonly (readonly [string, string])[] {
  const isNamed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return isNamed || contentType === undefined ? headers : [...headers, ['content-type', contentType]]
}

function belongsToConnection(name: string): boolean {
  return connectionHeaders.has(name) || name.startsWith('proxy-')
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization'
}

/** Without a colon the rest is taken for encoded already. A password may hold colons. */
function encodeBasic(value: string): string {
  const scheme = /^basic +/i.exec(value)?.[0]
  const rest = scheme && value.slice(scheme.length)
  return rest?.includes(':') ? `Basic ${Buffer.from(rest).toString('base64')}` : value
}

/**
 * Puts query parameters into an address: before its fragment, behind the parameters that it has already. Values
 * of one name stand together, at the place of the first.
 */
function addQuery(url: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return url
  const fragmentAt = url.indexOf('#')
  const address = fragmentAt === -1 ? url : url.slice(0, fragmentAt)
  return address + joiner(address) + encodeQuery(parameters) + url.slice(address.length)
}

function joiner(address: string): string {
  if (!address.includes('?')) return '?'
  return address.endsWith('?') || address.endsWith('&') ? '' : '&'
}

function encodeQuery(parameters: readonly (readonly [string, string])[]): string {
  const valuesByKey = new Map<string, string[]>()
  for (const [key, value] of parameters) {
    const values = valuesByKey.get(key)
    if (values) values.push(value)
    else valuesByKey.set(key, [value])
  }
  return [...valuesByKey]
    .flatMap(([key, values]) => values.map((value) => `${encode(key)}=${encode(value)}`))
    .join('&')
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

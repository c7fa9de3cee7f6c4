import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Json } from '../support/json.ts'
import {
  httpAnswer,
  type RawHttpServer,
  type RawRequest,
  startRawHttpServer,
} from '../support/raw-http-server.ts'

/** What a vendor documents of one route, and how it answers. */
export interface VendorRoute {
  readonly method: string
  readonly path: RegExp
  /** Query parameters that it knows. */
  readonly query?: readonly string[]
  /** The body as JSON; closed, so that unknown fields are refused. Absent where none may come. */
  readonly body?: TSchema
  /** The fields of a form in place of JSON. */
  readonly form?: TSchema
  readonly answer: (request: VendorRequest) => VendorReply
}

export interface VendorRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Json
  readonly headers: ReadonlyMap<string, string>
}

export interface VendorReply {
  readonly status?: number
  readonly json?: unknown
  /** In place of JSON. */
  readonly text?: string
}

export interface VendorDescription {
  /** Headers without which the vendor refuses, with the status that it answers. */
  readonly headers?: Readonly<Record<string, string>>
  readonly routes: readonly VendorRoute[]
  /** Its shape of a refusal. */
  readonly refuse: (status: number, message: string) => unknown
}

/** A vendor's service on this machine: refuses unknown routes, fields, wrong types and missing headers as the vendor does. */
export async function startStrictVendor(vendor: VendorDescription): Promise<RawHttpServer> {
  return startRawHttpServer((request) => {
    const { status = 200, json, text } = replyTo(request, vendor)
    const type = text === undefined ? 'application/json' : 'text/plain'
    return httpAnswer(status, text ?? JSON.stringify(json ?? {}), { 'content-type': type })
  })
}

function replyTo(request: RawRequest, vendor: VendorDescription): VendorReply {
  const refuse = (status: number, message: string) => ({ status, json: vendor.refuse(status, message) })
  for (const [name, value] of Object.entries(vendor.headers ?? {})) {
    if (request.headers.get(name) !== value) return refuse(401, `${name} is missing or wrong`)
  }
  const url = new URL(request.target, 'http://vendor')
  const pathname = decodeURIComponent(url.pathname)
  const route = vendor.routes.find(({ method, path }) => method === request.method && path.test(pathname))
  if (!route) return refuse(404, `no ${request.method} ${pathname}`)
  const unknown = [...url.searchParams.keys()].filter((name) => !(route.query ?? []).includes(name))
  if (unknown.length > 0) return refuse(400, `unknown parameters: ${unknown.join()}`)
  const read = readBody(request, route)
  if (read.problem !== undefined) return refuse(422, read.problem)
  return route.answer({
    path: pathname,
    query: url.searchParams,
    body: read.body,
    headers: request.headers,
  })
}

function readBody(
  { headers, body }: RawRequest,
  { body: schema, form }: VendorRoute,
): { body: Json; problem?: undefined } | { problem: string } {
  const expected = schema ?? form
  if (!expected) return body === '' ? { body: {} } : { problem: 'a body that was not asked for' }
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  if (headers.get('content-type') !== type) return { problem: `content-type must be ${type}` }
  const value: unknown = form ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
  const [error] = Value.Errors(expected, value)
  return error ? { problem: `${error.path} ${error.message}` } : { body: value as Json }
}

import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Json } from '../support/json.ts'
import {
  httpAnswer,
  type RawHttpServer,
  type RawRequest,
  startRawHttpServer,
} from '../support/raw-http-server.ts'
import { readParts } from './read-parts.ts'

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
  /** The fields of a form in parts, a file as `name: content`. */
  readonly parts?: TSchema
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
  /** Of a text that is not plain. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
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
  return startRawHttpServer(async (request) => {
    const { status = 200, json, text, type = 'text/plain', headers } = await replyTo(request, vendor)
    const contentType = text === undefined ? 'application/json' : type
    return httpAnswer(status, text ?? JSON.stringify(json ?? {}), { 'content-type': contentType, ...headers })
  })
}

async function replyTo(request: RawRequest, vendor: VendorDescription): Promise<VendorReply> {
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
  const read = route.parts ? await readForm(request, route.parts) : readBody(request, route)
  if (read.problem !== undefined) return refuse(422, read.problem)
  return route.answer({
    path: pathname,
    query: url.searchParams,
    body: read.body,
    headers: request.headers,
  })
}

type ReadBody = { readonly body: Json; readonly problem?: undefined } | { readonly problem: string }

async function readForm({ headers, bytes }: RawRequest, expected: TSchema): Promise<ReadBody> {
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data; boundary=')) return { problem: 'content-type' }
  const value = await readParts(type, bytes.subarray(bytes.indexOf('\r\n\r\n') + 4))
  const [error] = Value.Errors(expected, value)
  return error ? { problem: `${error.path} ${error.message}` } : { body: value }
}

function readBody({ headers, body }: RawRequest, { body: schema, form }: VendorRoute): ReadBody {
  const expected = schema ?? form
  if (!expected) return body === '' ? { body: {} } : { problem: 'a body that was not asked for' }
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  if (headers.get('content-type') !== type) return { problem: `content-type must be ${type}` }
  const value: unknown = form ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
  const [error] = Value.Errors(expected, value)
  return error ? { problem: `${error.path} ${error.message}` } : { body: value as Json }
}

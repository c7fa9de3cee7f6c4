import {
  type Check,
  type DescribedOperation,
  type DescribedResponse,
  type Description,
  type Fail,
  isJson,
  readDocument,
} from './openapi-document.ts'
import { type Call, type Sending, writeRequest } from './openapi-request.ts'

/** An answer that is as described. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON value, the text of another type, or undefined when there is none. */
  readonly body: unknown
}

export type Operation = (call?: Call) => Promise<Answer>

/** Where a client sends to, and how. */
export interface Transport {
  readonly address: string
  /** Bearer tokens by the names of security schemes. */
  readonly tokens?: Sending['tokens']
  /** By default over the network. */
  readonly send?: (request: Request) => Promise<Response>
}

/**
 * Makes a client out of an OpenAPI 3.1 document: one method for each `operationId`. A method throws, naming its
 * operation and the place, when what it is to send or what it receives is not as the document describes.
 */
export function generateClient<Name extends string>(
  document: Description,
  { address, tokens = {}, send = fetch }: Transport,
): Record<Name, Operation> {
  const { paths, check } = readDocument(document)
  const operations = new Map<string, Operation>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const name = described.operationId
      if (name === undefined) throw new Error(`${method} ${path} has no operationId`)
      if (operations.has(name)) throw new Error(`Two operations are called ${name}`)
      const failAt = failing(name)
      operations.set(name, async (call = {}) => {
        const request = { url: address + path, method, described, call, tokens, check, failAt }
        return readAnswer(await send(writeRequest(request)), { described, check, failAt })
      })
    }
  }
  return Object.fromEntries(operations) as Record<Name, Operation>
}

function failing(name: string): (place: string) => Fail {
  return (place) => (what) => {
    throw new Error(`${name}: ${place}: ${what}`)
  }
}

interface Duty {
  readonly described: DescribedOperation
  readonly check: Check
  readonly failAt: (place: string) => Fail
}

async function readAnswer(response: Response, { described, check, failAt }: Duty): Promise<Answer> {
  const { status, headers } = response
  const expected = described.responses[status] ?? failAt(`status ${status}`)('is not described')
  checkHeaders(headers, expected, (value, schema, name) =>
    check(value, schema, failAt(`status ${status} header ${name}`)),
  )
  const text = await response.text()
  const type = headers.get('content-type')?.replace(/;.*/, '').trim() ?? ''
  const fail = failAt(`status ${status} ${type}`.trim())
  if (!expected.content)
    return text === '' ? { status, headers, body: undefined } : fail('has a body that is not described')
  const media = expected.content[type] ?? expected.content['*/*'] ?? fail('is not described')
  const body = isJson(type) ? parse(text, fail) : text
  check(body, media.schema ?? {}, fail)
  return { status, headers, body }
}

function checkHeaders(
  headers: Headers,
  described: DescribedResponse,
  check: (value: unknown, schema: object, name: string) => void,
): void {
  for (const [name, { required, schema }] of Object.entries(described.headers ?? {})) {
    const value = headers.get(name)
    if (value !== null || required) check(value, schema, name)
  }
}

function parse(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail('is no JSON')
  }
}

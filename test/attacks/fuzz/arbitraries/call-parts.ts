import fc from 'fast-check'
import { hostileText } from './hostile.ts'
import { type ByteEdit, byteEdits } from './json-text.ts'
import { edits, mutate } from './mutation.ts'

/**
 * A request as data. What only the conversation knows stands for itself in angle brackets, in the path, the headers
 * and the body alike: `<session>`, `<result>`, `<flow>`, `<block>`, `<upload>`, `<file>`, `<state>`, `<handle>`.
 */
export interface Call {
  readonly method: string
  /** Encoded, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Written by `jsonText`; undefined for no body at all. */
  readonly body: unknown
  /** Sent as it is, in the place of a body. */
  readonly text?: string
  /** What becomes of the bytes of the body afterwards. */
  readonly bytes: readonly ByteEdit[]
}

/** What the service is to be started with, for operators to get in, and assistants. */
export const adminToken = 'operator-of-the-fuzz'
export const assistantToken = 'assistant-of-the-fuzz-and-none-else'

/** Accounts at messengers, where nobody listens. */
const nowhere = 'http://127.0.0.1:9'
export const messengerAccounts = {
  telegram: { botToken: '1:token', secretToken: 'secret-of-the-fuzz', baseUrl: nowhere },
  whatsapp: {
    accessToken: 'token',
    phoneNumberId: '106540352242922',
    appSecret: 'secret-of-the-fuzz',
    verifyToken: 'verify-of-the-fuzz',
    baseUrl: nowhere,
  },
}

/** A segment of a path that no route expects. */
export const hostileSegment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%',
    '%0',
    '%00',
    '%ff',
    '%C0%80',
    '%2F',
    '%ED%A0%80',
    '*',
    ':id',
    ';',
    '?a',
    '#',
    '~',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'null',
    '-1',
    'x'.repeat(1024),
    'x'.repeat(1025),
    'x'.repeat(9000),
    '%41'.repeat(400),
  ),
  hostileText.map((text) => encodeURIComponent(text.slice(0, 300).toWellFormed())),
)

/** A segment of a path that is mostly right. */
export const segment = (right: string) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: hostileSegment })

/** Joins parts of a path, of which those that aren't text are made up. */
export const path = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''))

/** What a client can send in a header: no control characters, nothing beyond Latin-1. */
const headerText = hostileText.map((text) =>
  text
    .slice(0, 2000)
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .trim(),
)

export const header = (...usual: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: headerText })

const bearer = `Bearer ${adminToken}`

/** Headers that are there now and then. */
const anyHeaders = fc
  .record({
    origin: rarely(header('https://a.example', 'null', 'http://localhost')),
    'x-request-id': rarely(header('r-1')),
    'idempotency-key': rarely(header('0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e', 'short')),
    authorization: rarely(header(bearer, 'Bearer ', 'Basic YTpi', 'bearer  x')),
    'content-encoding': rarely(header('gzip', 'identity')),
    accept: rarely(header('text/html', '*/*;q=0')),
    range: rarely(
      header('bytes=0-1', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-3', 'bytes=99999999999999999999-'),
    ),
    'x-forwarded-for': rarely(header('1.2.3.4, 5.6.7.8')),
    'x-forwarded-proto': rarely(header('https')),
    'access-control-request-method': rarely(header('POST')),
    'if-none-match': rarely(header('*')),
  })
  .map(withoutUndefined)

export function rarely(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

export function withoutUndefined(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

const jsonType = fc.oneof(
  { weight: 20, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: header(
      'application/json; charset=utf-8',
      'application/json;charset=utf-16',
      'application/vnd.api+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json, text/plain',
      'application/json;;',
    ),
  },
)

interface CallParts {
  readonly method?: string
  readonly path: fc.Arbitrary<string>
  readonly body?: fc.Arbitrary<unknown>
  readonly headers?: Readonly<Record<string, string>>
}

export function call({
  method = 'POST',
  path,
  body = fc.constant(undefined),
  headers = {},
}: CallParts): fc.Arbitrary<Call> {
  return fc
    .record({ path, headers: anyHeaders, body, bytes: byteEdits, contentType: jsonType })
    .map(({ path, headers: more, body, bytes, contentType }) => ({
      method,
      path,
      headers: { ...(body !== undefined && { 'content-type': contentType }), ...headers, ...more },
      body,
      bytes: body === undefined ? [] : bytes,
    }))
}

/** A body of which parts are changed. */
export const mutated = (body: fc.Arbitrary<unknown>, changes = edits) =>
  fc.tuple(body, changes).map(([value, applied]) => mutate(value, applied))

/** Headers of somebody who may all. */
export const asOperator = { headers: { authorization: bearer } }

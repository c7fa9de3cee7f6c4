import fc from 'fast-check'
import { continueBodies } from './corpus.ts'
import { draft, startBody } from './drafts.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { type ByteEdit, byteEdits } from './json-text.ts'
import { edits, mutate, rareEdits } from './mutation.ts'

/**
 * A request as data. What only the conversation knows stands for itself in angle brackets, in the path, the headers
 * and the body alike: `<session>`, `<result>`, `<flow>`, `<block>`, `<upload>`, `<file>`.
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

/** What the service is to be started with, for operators to get in. */
export const adminToken = 'operator-of-the-fuzz'

/** The public ids of flows that starts name. */
const startedFlows = fc.constantFrom(
  'every-input',
  'lead-form',
  'product-quiz',
  'support-triage',
  'opening-hours',
)

const hostileSegment = fc.oneof(
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
const segment = (right: string) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: hostileSegment })

/** Joins parts of a path, of which those that aren't text are made up. */
const path = (...parts: (string | fc.Arbitrary<string>)[]) =>
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

const header = (...usual: string[]) =>
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

function rarely(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

function withoutUndefined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
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

function call({
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

const mutated = (body: fc.Arbitrary<unknown>, changes = edits) =>
  fc.tuple(body, changes).map(([value, applied]) => mutate(value, applied))

/** A start of a published flow. */
export const publicStart = call({
  path: path(
    '/v1/flows/',
    fc.oneof({ weight: 15, arbitrary: startedFlows }, { weight: 1, arbitrary: hostileSegment }),
    '/startChat',
  ),
  body: mutated(startBody, rareEdits),
})

/** A start that succeeds. */
const plainStart: fc.Arbitrary<Call> = startedFlows.map((publicId) => ({
  method: 'POST',
  path: `/v1/flows/${publicId}/startChat`,
  headers: {},
  body: undefined,
  bytes: [],
}))

const startFrom = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('g1', 'g0', 'start', 'gone')
      .map((groupId) => ({ startFrom: { type: 'group', groupId } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('start', 'c1', 'g1')
      .map((eventId) => ({ startFrom: { type: 'event', eventId } })),
  },
)

const previewExtras = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({
      sessionId: fc.constantFrom('<session>', 'mine', 'a b'),
      isProgressBarEnabled: fc.boolean(),
    }),
  },
)

/** A start of a draft. */
export const previewStart = call({
  path: path('/v1/flows/', segment('draft'), '/preview/startChat'),
  body: mutated(
    fc
      .tuple(draft, startBody, startFrom, previewExtras)
      .map(([flow, body, from, extras]) => ({ ...body, ...from, ...extras, flow })),
    fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: edits }),
  ),
})

const session = segment('<session>')

/** A continue that knows nothing of what is waited for. */
const anyContinue = call({
  path: path('/v1/sessions/', session, '/continueChat'),
  body: mutated(fc.constantFrom({}, ...continueBodies)),
})

const log = fc.record(
  {
    status: fc.constantFrom('error', 'info', 'success'),
    description: hostileText,
    details: hostileText,
    context: hostileText,
  },
  { requiredKeys: ['description'] },
)

const offer = fc.record(
  {
    sessionId: fc.constant('<session>'),
    fileType: fc.oneof(
      fc.constantFrom('image/png', 'application/pdf', 'text/html', 'image/svg+xml', 'audio/webm;codecs=opus'),
      hostileText,
    ),
    fileSize: fc.oneof(fc.nat(5000), fc.constantFrom(0, 0.5, 1e300)),
    blockId: fc.constant('<block>'),
    fileName: hostileText,
  },
  { requiredKeys: ['sessionId'] },
)

const query = fc
  .record({
    limit: rarely(header('1', '500', '501', '0', '-1', '1e1', '١')),
    cursor: rarely(header('YmVmb3JlIDc', 'x')),
    format: rarely(header('csv', 'json', 'xml')),
    __proto__: rarely(header('x')),
  })
  .map((parameters) => `?${new URLSearchParams(withoutUndefined(parameters))}`)

const result = path('/v1/flows/', segment('<flow>'), '/results/', segment('<result>'))
const results = path(
  '/v1/flows/',
  segment('<flow>'),
  '/results',
  fc.oneof(
    query,
    hostileSegment.map((text) => `?${text}`),
  ),
)
/** A contact whom starts name. */
const contact = path('/v1/contacts/', segment('user-4711'))
const asOperator = { headers: { authorization: bearer } }

const upload = fc.oneof(
  { weight: 3, arbitrary: fc.constant('<upload>') },
  { weight: 1, arbitrary: path('<upload>', hostileSegment) },
  { weight: 1, arbitrary: path('/uploads/', hostileSegment) },
)
const file = fc.oneof(
  { weight: 3, arbitrary: fc.constant('<file>') },
  { weight: 1, arbitrary: path('/uploads/', hostileSegment, '/', hostileSegment) },
  { weight: 1, arbitrary: path('/uploads/private/', hostileSegment, '/', hostileSegment) },
)

/** Events are not sent there: flows may not reach it, and neither do they. */
const endpoint = {
  url: 'http://127.0.0.1:9/hook',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  includesContent: true,
}

const webhook = fc.oneof(path('/v1/webhooks/crm'), path('/v1/webhooks/', hostileSegment))

/** Requests by what they are for. Those that make an upload possible and those that use it share a name. */
export const calls = {
  startChat: publicStart,
  startPreviewChat: previewStart,
  continueChat: anyContinue,
  clientLogs: call({
    path: path('/v2/sessions/', session, '/clientLogs'),
    body: mutated(fc.array(log, { maxLength: 3 }).map((clientLogs) => ({ clientLogs }))),
  }),
  updateFlow: call({
    ...asOperator,
    path: path('/v1/sessions/', session, '/updateFlow'),
    body: fc.oneof(fc.constant(undefined), hostileValue),
  }),
  skipToTimer: call({ path: path('/v1/sessions/', session, '/skipToTimer') }),
  changeSession: call({
    ...asOperator,
    method: 'PATCH',
    path: path('/v1/sessions/', session),
    body: mutated(
      fc.record(
        { status: fc.constantFrom('paused', 'open'), who: fc.string(), groupId: fc.string() },
        { requiredKeys: ['status'] },
      ),
    ),
  }),
  sayAsPerson: call({
    ...asOperator,
    path: path('/v1/sessions/', session, '/messages'),
    body: mutated(fc.record({ text: fc.string(), name: fc.string() }, { requiredKeys: ['text'] })),
  }),
  readTranscript: call({ method: 'GET', path: path('/v1/sessions/', session, '/transcript') }),
  executeWebhook: call({
    ...asOperator,
    path: path(
      '/v1/flows/',
      segment('<flow>'),
      '/blocks/',
      segment('<block>'),
      '/results/',
      segment('<result>'),
      '/executeWebhook',
    ),
    body: mutated(fc.dictionary(fc.string(), fc.jsonValue())),
  }),
  generateUploadUrl: call({ path: path('/v3/generate-upload-url'), body: mutated(offer, rareEdits) }),
  putUpload: call({ method: 'PUT', path: upload, body: hostileValue }),
  getUpload: fc.oneof(
    call({ method: 'GET', path: file }),
    call({ method: 'HEAD', path: file }),
    call({ ...asOperator, method: 'GET', path: file }),
  ),
  streamMessage: call({
    path: path('/v2/sessions/', session, '/streamMessage'),
    body: fc.oneof(fc.constant(undefined), mutated(fc.constant({ messages: [] }))),
  }),
  listResults: call({ ...asOperator, method: 'GET', path: results }),
  getResult: call({ ...asOperator, method: 'GET', path: result }),
  deleteResult: call({
    ...asOperator,
    method: 'DELETE',
    path: result,
    body: fc.oneof(fc.constant(undefined), hostileValue),
  }),
  deleteResults: call({
    ...asOperator,
    method: 'DELETE',
    path: fc
      .tuple(results, fc.constantFrom('', '?all=true', '?answer=Ada', '?until=2026-13-01', '?al=true'))
      .map((parts) => parts.join('')),
  }),
  getContact: call({
    ...asOperator,
    method: 'GET',
    path: fc.tuple(contact, query).map((parts) => parts.join('')),
  }),
  exportContact: call({ ...asOperator, method: 'GET', path: contact.map((one) => `${one}/export`) }),
  deleteContact: call({ ...asOperator, method: 'DELETE', path: contact }),
  putWebhook: call({
    ...asOperator,
    method: 'PUT',
    path: webhook,
    body: mutated(fc.constant(endpoint), rareEdits),
  }),
  getWebhook: call({ ...asOperator, method: 'GET', path: webhook }),
  listDeliveries: call({
    ...asOperator,
    method: 'GET',
    path: webhook.map((one) => `${one}/deliveries?limit=3`),
  }),
  retryDeliveries: call({ ...asOperator, path: webhook.map((one) => `${one}/retry`) }),
  deleteWebhook: call({ ...asOperator, method: 'DELETE', path: webhook }),
  anything: fc
    .tuple(
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'PUT', 'POST', 'TRACE', 'PROPFIND'),
      fc.oneof(
        path('/', hostileSegment, '/', hostileSegment),
        fc.constantFrom(
          '/health',
          '/ready',
          '/openapi.json',
          '/docs',
          '/docs/json',
          '/docs/static/index.html',
          '/docs/static/..%2f',
          '/metrics',
        ),
        path('/v1/flows/', hostileSegment, '/startChat'),
        path('/v1/sessions/<session>/continueChat'),
        path('/v1/', hostileSegment),
        path('/docs/static/', hostileSegment),
      ),
    )
    .chain(([method, target]) => call({ method, path: fc.constant(target) })),
} satisfies Record<string, fc.Arbitrary<Call>>

/** A start, and requests of every kind behind it; what is uploaded is asked for first. */
export const requests: fc.Arbitrary<readonly Call[]> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: plainStart }, { weight: 1, arbitrary: publicStart }),
    fc.array(
      fc.oneof(
        ...Object.values(calls).map((one) => one.map((made) => [made])),
        fc.tuple(calls.generateUploadUrl, calls.putUpload, calls.getUpload),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([start, others]) => [start, ...others.flat()])

import fc from 'fast-check'
import {
  asOperator,
  type Call,
  call,
  header,
  hostileSegment,
  mutated,
  path,
  rarely,
  segment,
  withoutUndefined,
} from './call-parts.ts'
import { continueBodies } from './corpus.ts'
import { draft, startBody } from './drafts.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { messengerCalls } from './messenger-calls.ts'
import { edits, rareEdits } from './mutation.ts'

/** The public ids of flows that starts name. */
const startedFlows = fc.constantFrom(
  'every-input',
  'lead-form',
  'product-quiz',
  'support-triage',
  'opening-hours',
)

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
const exports = (kind: string) =>
  path(
    '/v1/flows/',
    segment('<flow>'),
    `/${kind}/export`,
    fc.oneof(
      fc.constantFrom('', '?format=csv', '?format=parquet', '?format=csv&version=1', '?version=x'),
      fc
        .constantFrom('?leftAt=', '?visited=', '?text=')
        .chain((key) => hostileSegment.map((text) => key + text)),
    ),
  )
/** A contact whom starts name. */
const contact = path('/v1/contacts/', segment('user-4711'))
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
  countResults: call({
    ...asOperator,
    method: 'GET',
    path: path('/v1/flows/', segment('<flow>'), '/results/count?text=', hostileSegment),
  }),
  exportResults: call({ ...asOperator, method: 'GET', path: exports('results') }),
  readAnalytics: call({
    ...asOperator,
    method: 'GET',
    path: path('/v1/flows/', segment('<flow>'), '/analytics?funnel=b1,', hostileSegment),
  }),
  exportCounts: call({ ...asOperator, method: 'GET', path: exports('analytics') }),
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
      .tuple(
        results,
        fc.constantFrom(
          '',
          '?all=true',
          '?all=true&count=0',
          '?answer=Ada&count=999999999999999',
          '?answer=Ada',
          '?until=2026-13-01',
          '?al=true',
        ),
      )
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
  ...messengerCalls,
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

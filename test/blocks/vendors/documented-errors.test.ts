import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { skipPauses } from '../../support/skip-pauses.ts'
import { type Asking, askings, everyAsking, ofOptions, payment, runOf } from '../../vendors/askings.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'

type Refusal = readonly [status: number, body: unknown]

const google = (code: number, status: string): Refusal => [
  code,
  { error: { code, message: `Said by Google: ${status}`, status } },
]
const openAi = (status: number, type: string, code: string | null = null): Refusal => [
  status,
  { error: { message: 'Said by OpenAI', type, param: null, code } },
]
const anthropic = (status: number, type: string): Refusal => [
  status,
  { type: 'error', error: { type, message: 'Said by Anthropic' }, request_id: 'req_1' },
]
const stripe = (status: number, type: string, code?: string): Refusal => [
  status,
  { error: { type, ...(code && { code }), message: 'Said by Stripe', doc_url: 'https://stripe.example' } },
]
const dify = (status: number, code: string): Refusal => [status, { code, message: 'Said by Dify', status }]
const elevenlabs = (status: number, detail: string): Refusal => [
  status,
  { detail: { status: detail, message: 'Said by ElevenLabs' } },
]
const posthog = (status: number, type: string, code: string): Refusal => [
  status,
  { type, code, detail: 'Said by PostHog', attr: null },
]
const segment = (status: number, message: string): Refusal => [status, { success: false, message }]
const told = (status: number, detail: string): Refusal => [status, { detail, message: 'Said by the service' }]

const errorsOfOpenAi = [
  openAi(400, 'invalid_request_error', 'context_length_exceeded'),
  openAi(401, 'invalid_request_error', 'invalid_api_key'),
  openAi(403, 'invalid_request_error', 'unsupported_country_region_territory'),
  openAi(404, 'invalid_request_error', 'model_not_found'),
  openAi(413, 'invalid_request_error', 'file_too_large'),
  openAi(429, 'requests', 'rate_limit_exceeded'),
  openAi(429, 'insufficient_quota', 'insufficient_quota'),
  openAi(500, 'server_error'),
  openAi(503, 'server_error', 'overloaded'),
]
const errorsOfGoogle = [
  google(400, 'INVALID_ARGUMENT'),
  google(400, 'FAILED_PRECONDITION'),
  google(401, 'UNAUTHENTICATED'),
  google(403, 'PERMISSION_DENIED'),
  google(404, 'NOT_FOUND'),
  google(429, 'RESOURCE_EXHAUSTED'),
  google(500, 'INTERNAL'),
  google(503, 'UNAVAILABLE'),
  google(504, 'DEADLINE_EXCEEDED'),
]

/** What each vendor documents that it refuses, by the call that it is in answer to. */
const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  'a model': errorsOfOpenAi,
  'a model of older flows': errorsOfOpenAi,
  'a model that remembers': [
    ...errorsOfOpenAi,
    openAi(400, 'invalid_request_error', 'previous_response_not_found'),
  ],
  'a speech': errorsOfOpenAi,
  'a transcription': [...errorsOfOpenAi, openAi(400, 'invalid_request_error', 'audio_too_short')],
  anthropic: [
    anthropic(400, 'invalid_request_error'),
    anthropic(401, 'authentication_error'),
    anthropic(402, 'billing_error'),
    anthropic(403, 'permission_error'),
    anthropic(404, 'not_found_error'),
    anthropic(413, 'request_too_large'),
    anthropic(429, 'rate_limit_error'),
    anthropic(500, 'api_error'),
    anthropic(504, 'timeout_error'),
    anthropic(529, 'overloaded_error'),
  ],
  'google sheets': errorsOfGoogle,
  gmail: errorsOfGoogle,
  'dify-ai': [
    ...['invalid_param', 'app_unavailable', 'provider_not_initialize', 'provider_quota_exceeded'].map(
      (code) => dify(400, code),
    ),
    ...['model_currently_not_support', 'completion_request_error'].map((code) => dify(400, code)),
    dify(401, 'unauthorized'),
    dify(404, 'not_found'),
    dify(429, 'rate_limit_error'),
    dify(500, 'internal_server_error'),
  ],
  elevenlabs: [
    elevenlabs(400, 'voice_not_found'),
    elevenlabs(400, 'text_too_long'),
    elevenlabs(401, 'invalid_api_key'),
    elevenlabs(401, 'quota_exceeded'),
    elevenlabs(403, 'only_for_creator+'),
    [422, { detail: [{ loc: ['body', 'text'], msg: 'field required', type: 'value_error.missing' }] }],
    elevenlabs(429, 'too_many_concurrent_requests'),
    elevenlabs(429, 'system_busy'),
    elevenlabs(500, 'internal_server_error'),
  ],
  nocodb: [
    [400, { msg: 'BadRequest [Error]: said by NocoDB' }],
    [401, { error: 'AUTHENTICATION_REQUIRED', message: 'Said by NocoDB' }],
    [403, { error: 'FORBIDDEN', message: 'Said by NocoDB' }],
    [404, { error: 'TABLE_NOT_FOUND', message: 'Said by NocoDB' }],
    [422, { error: 'INVALID_FILTER', message: 'Said by NocoDB' }],
    [422, { error: 'FIELD_NOT_FOUND', message: 'Said by NocoDB' }],
    [429, { msg: 'Too many requests' }],
    [500, { error: 'INTERNAL_SERVER_ERROR', message: 'Said by NocoDB' }],
  ],
  posthog: [
    posthog(400, 'validation_error', 'invalid_payload'),
    posthog(401, 'authentication_error', 'invalid_api_key'),
    posthog(413, 'validation_error', 'payload_too_large'),
    posthog(429, 'throttled_error', 'throttled'),
    posthog(503, 'server_error', 'fetch_team_fail'),
  ],
  segment: [
    segment(400, 'Said by Segment: malformed JSON'),
    segment(401, 'Said by Segment: invalid write key'),
    segment(413, 'Said by Segment: too large'),
    segment(429, 'Said by Segment: too many'),
    segment(500, 'Said by Segment'),
  ],
  blink: [
    told(400, 'bad'),
    told(401, 'key'),
    told(403, 'scope'),
    told(404, 'user'),
    told(429, 'many'),
    told(500, 'own'),
  ],
  'chat-node': [
    told(401, 'key'),
    told(404, 'bot'),
    told(422, 'message'),
    told(429, 'many'),
    told(500, 'own'),
  ],
}

const ofStripe = [
  stripe(400, 'invalid_request_error', 'amount_too_small'),
  stripe(400, 'idempotency_error', 'idempotency_key_in_use'),
  stripe(401, 'invalid_request_error'),
  stripe(402, 'card_error', 'card_declined'),
  stripe(403, 'invalid_request_error'),
  stripe(404, 'invalid_request_error', 'resource_missing'),
  stripe(409, 'idempotency_error', 'idempotency_key_in_use'),
  stripe(429, 'invalid_request_error', 'rate_limit'),
  stripe(500, 'api_error'),
  stripe(503, 'api_error'),
]

/** What the log says that its author can do about a status. */
const remedies: Readonly<Record<number, string>> = {
  400: 'Correct the options of the block, or the account',
  401: 'Renew the key of the account',
  402: 'Give the account credit',
  403: 'Give the account the right to do this',
  404: 'Correct the ids and names in the options of the block',
  409: 'Try again later',
  413: 'Send less',
  422: 'Correct the options of the block',
  429: 'Ask less often',
}

/** What comes before a refusal: answers to the first calls of the block, and that of the service for tokens. */
interface Before {
  readonly answers?: readonly unknown[]
  readonly token?: Refusal
  readonly reply?: string
}

const token: Refusal = [200, { access_token: 'token-1', expires_in: 3600 }]

async function refuse(asking: Asking, refusal: Refusal, before: Before = {}) {
  // Of those that models may be asked again.
  const soon = { 'content-type': 'application/json', 'retry-after-ms': '1' }
  const earlier = (before.answers ?? []).map((body): Refusal => [200, body])
  const server = await startRawHttpServer(({ target }) => {
    const [status, body] = target === '/token' ? (before.token ?? token) : (earlier.shift() ?? refusal)
    return httpAnswer(status, JSON.stringify(body), soon)
  })
  const run = await runOf(asking, server.url)
  const { reply } = before
  // None of these is slow, but where the machine is.
  const chat = { ...run.chat, limits: defaultLimits }
  return runVendorBlock({ ...run, chat, ...(reply !== undefined && { reply }) })
}

function expectLogOf({ storedLogs, visitorLogs }: Awaited<ReturnType<typeof refuse>>, refusal: Refusal) {
  const [status, body] = refusal
  expect(storedLogs).toMatchObject([{ status: 'error', blockId: 'x1', groupId: 'g1' }])
  const [log] = storedLogs
  expect(`${log?.description} ${log?.details}`).toContain(`answered ${status}`)
  expect(log?.details).toContain(remedies[status] ?? 'Try again later: the service failed.')
  expect(log?.details).toContain(JSON.stringify(body))
  // What the service says may tell of the account.
  expect(JSON.stringify(visitorLogs)).not.toMatch(/Said by/)
}

beforeEach(() => skipPauses())

it('knows what each of them refuses', () => {
  expect(Object.keys(refusals).sort()).toEqual(Object.keys(askings).sort())
})

describe.each(Object.entries(everyAsking))('%s', (_name, { asking, like, answers }) => {
  // All at once, as some are sent again after pauses.
  it('may be refused, which a log explains, and the flow goes on', async () => {
    await Promise.all(
      (refusals[like] ?? []).map(async (refusal) => {
        const ran = await refuse(asking, refusal, { answers })
        expectLogOf(ran, refusal)
        expect((ran.response['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
        expect(ran.variables).toMatchObject({ Out: 'old' })
      }),
    )
  })
})

/** As RFC 6749 has them, with what Google says in addition. */
const refusedTokens: readonly Refusal[] = [
  [400, { error: 'invalid_grant', error_description: 'Said by Google: expired or revoked' }],
  [401, { error: 'invalid_client', error_description: 'Said by Google' }],
  [400, { error: 'unauthorized_client', error_description: 'Said by Google' }],
  [400, { error: 'invalid_scope', error_description: 'Said by Google' }],
  [403, { error: 'org_internal', error_description: 'Said by Google' }],
]

describe.each(['google sheets', 'gmail'])('a token for %s', (name) => {
  it.each(refusedTokens)('may be refused with %d %j, which a log explains', async (...refusal) => {
    const ran = await refuse(askings[name] as Asking, refusal, { token: refusal })
    expectLogOf(ran, refusal)
    expect((ran.response['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
  })
})

describe('the label of a mail that was sent', () => {
  const labelled = ofOptions('gmail', {
    ...(askings['gmail'] as Asking).options,
    label: 'Label_1',
  })

  it.each(errorsOfGoogle)('may be refused with %d %j, which its log says', async (...refusal) => {
    const ran = await refuse(labelled, refusal, { answers: [{ id: 'm1', threadId: 't1' }] })
    expectLogOf(ran, refusal)
    expect((ran.response['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
    expect(ran.variables).toMatchObject({ Out: 't1' })
  })
})

describe('stripe', () => {
  it.each(ofStripe)('refuses with %d %j, which a log explains, and nobody passes', async (...refusal) => {
    const ran = await refuse(payment, refusal)
    expectLogOf(ran, refusal)
    expect([ran.response['messages'], ran.response['input']]).toEqual([[], undefined])
  })

  it('is not taken to say that somebody has paid by a refusal', async () => {
    const intent = { id: 'pi_1', client_secret: 'pi_1_secret', status: 'requires_payment_method' }
    await Promise.all(
      ofStripe.map(async (refusal) => {
        const ran = await refuse(payment, refusal, { answers: [intent], reply: 'Success' })
        expectLogOf(ran, refusal)
        expect(ran.response['input']).toMatchObject({ id: 'x1' })
        expect(ran.variables).toMatchObject({ Out: 'old' })
      }),
    )
  })
})

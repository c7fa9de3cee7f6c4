import { describe, expect, it } from 'vitest'
import type { Json } from '../../support/json.ts'
import { trusted } from '../../support/preview-request.ts'
import { startRawHttpServer } from '../../support/raw-http-server.ts'
import { type Asking, askings, payment, runOf, secret } from '../../vendors/askings.ts'
import { startVendorPreview } from '../../vendors/run-vendor-block.ts'

const openWidget: Asking = {
  type: 'zendesk',
  options: { action: 'Open Web Widget', userId: 'u1', webWidgetKey: 'w1' },
  account: () => ({ conversationsKeyId: 'k1', conversationsSecretKey: secret }),
}

interface Expected {
  /** What the trace shows of the call, and of its answer by the mocks. */
  readonly request?: Json
  readonly type?: string
  readonly mocks: Json
  /** What the variable of the answer holds then; as before where there is none. */
  readonly out?: string
}

const vendor = (method: string, path: string, reply: Json, body?: Json): Expected => ({
  request: { method, path, ...(body && { body }) },
  mocks: { vendors: [{ match: { method, path }, reply }] },
  out: 'mocked',
})
const model = (blockType: string): Expected => ({
  type: 'complete',
  request: { blockType, messages: [{ role: 'user', content: 'Hi' }] },
  mocks: { models: [{ match: { text: 'Hi' }, reply: 'mocked' }] },
  out: 'mocked',
})
const justTold = (path: string, body: Json): Expected => ({
  request: { method: 'POST', path, body },
  mocks: { vendors: [{ match: { path } }] },
})
const saying = (reply: Json) => ({ json: reply })

/** By the call that it is about. */
const expected: Readonly<Record<string, Expected>> = {
  blink: vendor('GET', '/user?userId=u1', saying({ data: [{ email: 'mocked' }] })),
  'chat-node': vendor('POST', '/b1', saying({ message: 'mocked' }), { message: 'Hi' }),
  elevenlabs: vendor('POST', '/v1/text-to-speech/v1', { text: 'mocked' }, { text: 'Hi' }),
  'dify-ai': vendor('POST', '/v1/chat-messages', saying({ answer: 'mocked' }), { query: 'Hi' }),
  gmail: { type: 'mail', request: { people: 1, length: 2 }, mocks: { mail: 'accept' } },
  'google sheets': {
    request: { method: 'GET', path: expect.stringMatching(/^\/v4\/spreadsheets\/s1\?fields=/) },
    mocks: {
      vendors: [
        {
          match: { path: '*?fields=*' },
          reply: saying({ sheets: [{ properties: { sheetId: 0, title: 'A' } }] }),
        },
        { match: { path: '*/values/*' }, reply: saying({ values: [['A'], ['mocked']] }) },
      ],
    },
    out: 'mocked',
  },
  nocodb: vendor('GET', '/api/v2/tables/t1/records?limit=1000', saying({ list: [{ A: 'mocked' }] })),
  posthog: justTold('/i/v0/e/', { event: 'seen', distinct_id: 'd1' }),
  segment: justTold('/v1/track', { event: 'seen', userId: 'u1' }),
  'a speech': vendor('POST', '/audio/speech', { text: 'mocked' }, { input: 'Hi', voice: 'alloy' }),
  'a transcription': vendor('POST', '/audio/transcriptions', saying({ text: 'mocked' }), {
    model: 'whisper-1',
  }),
  'a model': model('openai'),
  'a model of older flows': model('openai'),
  'a model that remembers': model('openai'),
  anthropic: model('anthropic'),
  'a payment': {
    request: { method: 'POST', path: '/v1/payment_intents', body: { amount: '500', currency: 'usd' } },
    mocks: { payments: 'accept' },
  },
  'a widget': { type: 'signToken', mocks: {} },
}

const all: Readonly<Record<string, Asking>> = { ...askings, 'a payment': payment, 'a widget': openWidget }

it('goes through all that blocks do with an account', () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(all).sort())
})

async function preview(name: string, body: Json, caller?: typeof trusted) {
  const server = await startRawHttpServer()
  const run = await runOf(all[name] as Asking, server.url)
  const response = await startVendorPreview(run, { trace: true, ...body }, caller)
  expect([server.connections, JSON.stringify(response)]).toEqual([0, expect.not.stringContaining(secret)])
  const { steps } = response['trace'] as { steps: { calls?: Json[]; wrote?: Json[] }[] }
  return { response, step: steps[0] }
}

describe.each(Object.entries(expected))('%s', (name, { type = 'callVendor', request, mocks, out }) => {
  it('is written down by a dry run in place of being sent', async () => {
    const { step } = await preview(name, { dryRun: true }, trusted)
    const calls = (step?.calls ?? []).filter((call) => call['type'] === type)
    expect(calls[0]).toMatchObject({ type, ...(request && { request }), isMocked: true })
  })

  it('is answered by mocks', async () => {
    const { response, step } = await preview(name, { mocks }, trusted)
    expect(JSON.stringify(response['logs'] ?? [])).not.toMatch(/error|Dry run|never fitted/)
    if (out !== undefined) expect(step?.wrote).toMatchObject([{ variable: 'Out', after: out }])
    else expect(step?.wrote ?? []).toEqual([])
  })

  it('is not sent by a preview without a token', async () => {
    const { step } = await preview(name, {})
    expect((step?.calls ?? []).map((call) => Object(call['answer'])['status'])).not.toContain(200)
    expect(step?.wrote ?? []).toEqual([])
  })
})

import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { readAmount } from '../../../src/blocks/inputs/payment/payment-amount.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { previewRequest } from '../../support/preview-request.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

interface Intent {
  readonly id: string
  amount: number
  currency: string
  status: string
  amount_received: number
  readonly livemode: boolean
}

const closed = { additionalProperties: false }
const Amount = Type.String({ pattern: '^[1-9]\\d*$' })
const Currency = Type.String({ pattern: '^[a-z]{3}$' })

/** Payment intents as Stripe documents them: states, keys of calls, and its errors. */
async function startStripe() {
  const intents = new Map<string, Intent>()
  const byKey = new Map<string, string>()
  let isDown = false
  const refusal = (status: number, message: string) => ({
    status,
    json: { error: { type: 'invalid_request_error', message, code: 'test' } },
  })
  const view = (intent: Intent) => ({
    ...intent,
    object: 'payment_intent',
    client_secret: `${intent.id}_secret`,
  })
  const server = await startStrictVendor({
    headers: { 'stripe-version': '2024-09-30.acacia' },
    refuse: (_status, message) => ({ error: { type: 'invalid_request_error', message } }),
    routes: [
      {
        method: 'POST',
        path: /^\/v1\/payment_intents$/,
        form: Type.Object(
          {
            amount: Amount,
            currency: Currency,
            'automatic_payment_methods[enabled]': Type.Literal('true'),
            description: Type.Optional(Type.String()),
            receipt_email: Type.Optional(Type.String({ pattern: '@' })),
          },
          closed,
        ),
        answer({ body, headers }) {
          if (isDown) return refusal(503, 'down')
          const secret = headers.get('authorization')
          if (secret !== 'Bearer sk_live_1' && secret !== 'Bearer sk_test_1') return refusal(401, 'key')
          const key = headers.get('idempotency-key') ?? ''
          const known = intents.get(byKey.get(key) ?? '')
          if (known) return { json: view(known) }
          const intent = {
            id: `pi_${intents.size + 1}`,
            amount: Number(body['amount']),
            currency: String(body['currency']),
            status: 'requires_payment_method',
            amount_received: 0,
            livemode: secret === 'Bearer sk_live_1',
          }
          intents.set(intent.id, intent)
          byKey.set(key, intent.id)
          return { json: view(intent) }
        },
      },
      {
        method: 'POST',
        path: /^\/v1\/payment_intents\/pi_\d+$/,
        form: Type.Object(
          { amount: Amount, currency: Currency, description: Type.Optional(Type.String()) },
          closed,
        ),
        answer({ path, body }) {
          const intent = intents.get(path.split('/').at(-1) ?? '')
          if (!intent || intent.status === 'succeeded') return refusal(400, 'state')
          intent.amount = Number(body['amount'])
          intent.currency = String(body['currency'])
          return { json: view(intent) }
        },
      },
      {
        method: 'GET',
        path: /^\/v1\/payment_intents\/pi_\d+$/,
        answer({ path }) {
          const intent = intents.get(path.split('/').at(-1) ?? '')
          return isDown || !intent ? refusal(isDown ? 503 : 404, 'gone') : { json: view(intent) }
        },
      },
    ],
  })
  return {
    server,
    intents,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** What the form of the provider does when a visitor pays. */
    pay(id: string, status = 'succeeded') {
      const intent = intents.get(id)
      if (!intent) throw new Error('there is no such payment')
      intent.status = status
      if (status === 'succeeded') intent.amount_received = intent.amount
    },
  }
}

async function startShop(options: Json = {}, account: Json = {}) {
  const stripe = await startStripe()
  const keys = {
    live: { secretKey: 'sk_live_1', publicKey: 'pk_live_1' },
    test: { secretKey: 'sk_test_1', publicKey: 'pk_test_1' },
    ...account,
  }
  const entry = { id: 'c1', type: 'stripe', data: { ...keys, baseUrl: stripe.server.url } }
  const { credentials } = readCredentials(JSON.stringify([{ ...entry, allowPreview: true }]), {})
  const flow = wholeDefinition({
    variables: [variable('Total', { value: '12.50' }), variable('Paid')],
    blocks: [
      {
        id: 'pay',
        type: 'payment input',
        options: {
          credentialsId: 'c1',
          amount: '{{Total}}',
          currency: 'EUR',
          variableId: 'vPaid',
          ...options,
        },
      },
      bubble('thanks'),
      textInput('end'),
    ],
  })
  const http = createHttpClient({ allow: parseAllowList('') })
  onTestFinished(() => http.close())
  const { chat } = createTestChat([flow], { http, credentials, previewHttp: 'on' })
  return {
    ...stripe,
    start: async (body: Json = {}) =>
      parseWire(await chat.startPublished({ publicId: 'flow-1', origin: undefined, body })),
    preview: async () => parseWire(await chat.startPreview(previewRequest({ flow }))),
    say: async (sessionId: unknown, text: string) =>
      parseWire(
        await chat.continue({
          sessionId: String(sessionId),
          origin: undefined,
          body: { message: { type: 'text', text } },
        }),
      ),
  }
}

const runtimeOf = (response: Json) =>
  (response['input'] as { runtimeOptions?: Record<string, string> } | undefined)?.runtimeOptions
const shownIds = (response: Json) => (response['messages'] as { id: string }[]).map(({ id }) => id)

describe('a payment input', () => {
  it('hands the client what the form of the provider needs', async () => {
    const { start, intents } = await startShop()
    expect(runtimeOf(await start())).toEqual({
      paymentIntentSecret: 'pi_1_secret',
      amountLabel: '12,50\u00a0€',
      publicKey: 'pk_live_1',
    })
    expect([...intents.values()]).toMatchObject([{ amount: 1250, currency: 'eur', livemode: true }])
  })

  it('believes the provider, and not what is typed', async () => {
    const { start, say, pay } = await startShop({ labels: { success: 'Thank you' } })
    const { sessionId } = await start()
    const refused = await say(sessionId, 'Success')
    expect(shownIds(refused)).toEqual(['pay'])
    expect(JSON.stringify(refused['messages'])).toContain('Payment failed. Please, try again.')
    pay('pi_1')
    const accepted = await say(sessionId, 'whatever')
    expect(shownIds(accepted)).toEqual(['thanks'])
    expect(accepted['lastMessageNewFormat']).toBe('Thank you')
  })

  it('takes a payment that was made though the client reports a failure', async () => {
    const { start, say, pay } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    expect(shownIds(await say(sessionId, 'fail'))).toEqual(['thanks'])
  })

  it('keeps one payment for a visit, however often it is refused', async () => {
    const { start, say, intents } = await startShop()
    const { sessionId } = await start()
    for (const reply of ['fail', 'Success', 'fail']) {
      expect(runtimeOf(await say(sessionId, reply))?.['paymentIntentSecret']).toBe('pi_1_secret')
    }
    expect(intents.size).toBe(1)
  })

  it.each([
    [false, ['pay']],
    [true, ['thanks']],
  ])('takes what is being processed only where the flow says so: %s', async (acceptProcessing, shown) => {
    const { start, say, pay } = await startShop({ acceptProcessing })
    const { sessionId } = await start()
    pay('pi_1', 'processing')
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(shown)
  })

  it('refuses a payment that is smaller than what was asked for', async () => {
    const { start, say, pay, intents } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    const intent = intents.get('pi_1')
    if (intent) intent.amount_received = 1
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['pay'])
  })

  it('ends the conversation where no payment can be asked for', async () => {
    const { start, say, setDown } = await startShop()
    setDown(true)
    const response = await start()
    expect(response['input']).toBeUndefined()
    expect(response['logs']).toMatchObject([{ description: 'The service of stripe answered 503' }])
    await expect(say(response['sessionId'], 'Success')).rejects.toThrow()
  })

  it('refuses while the provider is away, and goes on once it is back', async () => {
    const { start, say, pay, setDown } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    setDown(true)
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['pay'])
    setDown(false)
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['thanks'])
  })

  it('moves no money in a preview', async () => {
    const { preview, intents } = await startShop()
    expect(runtimeOf(await preview())?.['publicKey']).toBe('pk_test_1')
    expect([...intents.values()]).toMatchObject([{ livemode: false }])
  })

  it('is passed over in a preview without keys for tests', async () => {
    const { preview, intents } = await startShop({}, { test: {} })
    const response = await preview()
    expect([shownIds(response), intents.size]).toEqual([['thanks'], 0])
    expect(response['logs']).toMatchObject([{ description: 'Could not find credentials for block stripe' }])
  })

  it('is neither passed unpaid nor charged twice, whatever comes in which order', async () => {
    const step = fc.constantFrom('Success', 'fail', '', 'pay', 'down', 'up', 'both')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { start, say, pay, setDown, intents } = await startShop()
        const { sessionId } = await start()
        for (const what of steps) {
          if (what === 'pay') pay('pi_1')
          else if (what === 'down' || what === 'up') setDown(what === 'down')
          else {
            const replies = what === 'both' ? ['Success', 'Success'] : [what]
            const answers = await Promise.all(replies.map((text) => say(sessionId, text)))
            const passed = answers.some((answer) => shownIds(answer).includes('thanks'))
            if (passed) {
              expect(intents.get('pi_1')?.status).toBe('succeeded')
              break
            }
          }
        }
        expect(intents.size).toBe(1)
      }),
      { numRuns: 25 },
    )
  })
})

describe('an amount', () => {
  it.each([
    ['12.50', 'EUR', 1250],
    ['19.99', 'usd', 1999],
    ['500', 'JPY', 500],
    ['1.2345', 'KWD', 1230],
    ['0.1', 'EUR', 10],
  ])('%s %s is %d in the smallest unit', (text, currency, minor) => {
    expect(readAmount(text, currency)?.minor).toBe(minor)
  })

  it.each([
    ['', 'EUR'],
    ['a lot', 'EUR'],
    ['-5', 'EUR'],
    ['0', 'EUR'],
    ['0.001', 'EUR'],
    ['1e3', 'EUR'],
    ['12', 'EURO'],
    ['99999999', 'EUR'],
  ])('%j of %j can not be paid', (text, currency) => {
    expect(readAmount(text, currency)).toBeUndefined()
  })

  it('is never off by more than half of the smallest unit that can be paid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (cents) => {
        expect(readAmount((cents / 100).toFixed(2), 'EUR')?.minor).toBe(cents)
      }),
    )
  })
})

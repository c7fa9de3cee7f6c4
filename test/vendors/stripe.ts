import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { startStrictVendor } from './strict-vendor.ts'

interface Intent {
  readonly id: string
  amount: number
  currency: string
  status: string
  amount_received: number
  readonly livemode: boolean
  readonly metadata: { readonly reference?: string }
}

const closed = { additionalProperties: false }
const Amount = Type.String({ pattern: '^[1-9]\\d*$' })
const Currency = Type.String({ pattern: '^[a-z]{3}$' })

/** Payment intents as Stripe documents them: states, keys of calls, its errors, and the events that it signs. */
export async function startStripe() {
  const intents = new Map<string, Intent>()
  const byKey = new Map<string, { readonly intent: Intent; readonly sent: string }>()
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
            'metadata[reference]': Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
          },
          closed,
        ),
        answer({ body, headers }) {
          if (isDown) return refusal(503, 'down')
          const secret = headers.get('authorization')
          if (secret !== 'Bearer sk_live_1' && secret !== 'Bearer sk_test_1') return refusal(401, 'key')
          const key = headers.get('idempotency-key') ?? ''
          const known = byKey.get(key)
          if (known && known.sent !== JSON.stringify(body)) return refusal(400, 'other parameters')
          if (known) return { json: view(known.intent) }
          const intent = {
            id: `pi_${intents.size + 1}`,
            amount: Number(body['amount']),
            currency: String(body['currency']),
            status: 'requires_payment_method',
            amount_received: 0,
            livemode: secret === 'Bearer sk_live_1',
            metadata: {
              ...(body['metadata[reference]'] !== undefined && {
                reference: String(body['metadata[reference]']),
              }),
            },
          }
          intents.set(intent.id, intent)
          byKey.set(key, { intent, sent: JSON.stringify(body) })
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
    /** What Stripe sends once a payment has succeeded. */
    event: (id: string, type = 'payment_intent.succeeded') =>
      JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type,
        data: { object: view(intents.get(id) as Intent) },
      }),
  }
}

/** The header by which an event is known to be one. `at` is in milliseconds since 1970. */
export function signEvent(text: string, at: number, secret = 'whsec_1'): string {
  const moment = Math.floor(at / 1000)
  return `t=${moment},v1=${createHmac('sha256', secret).update(`${moment}.${text}`).digest('hex')}`
}

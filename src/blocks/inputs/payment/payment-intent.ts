import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import type { PendingPayment } from '../../../engine/model/step.ts'
import { isPathPart, pathPart } from '../../../engine/values/path-part.ts'
import {
  askVendorForJson,
  describeUnreadableAnswer,
  type VendorQuestion,
} from '../../vendors/lib/ask-vendor.ts'

const vendor = 'stripe'
const headers = [['stripe-version', '2024-09-30.acacia']] as const

interface WantedPayment {
  readonly credentialsId: string | undefined
  readonly amount: PaymentAmount
  readonly description: string
  readonly receiptEmail: string
  /** Answer once the payment is made. */
  readonly success: string
}

type PaymentOutcome = { readonly payment: PendingPayment } | { readonly log: LogEntry }

/**
 * Asks the provider for a payment, or changes the one that is pending. The key of the call is the same when the turn is
 * repeated, so that one visit never makes two payments.
 */
export function* openPayment(
  wanted: WantedPayment,
  pending: PendingPayment | undefined,
  context: RunContext,
): Effects<PaymentOutcome> {
  const { amount, description, receiptEmail } = wanted
  const fields: [string, string][] = [
    ['amount', String(amount.minor)],
    ['currency', amount.currency],
    ...(description === '' ? [] : [['description', description] as [string, string]]),
    ...(receiptEmail === '' ? [] : [['receipt_email', receiptEmail] as [string, string]]),
    ...(pending ? [] : [['automatic_payment_methods[enabled]', 'true'] as [string, string]]),
  ]
  const path = pending ? intentPath(pending.intentId) : '/v1/payment_intents'
  const question = {
    method: 'POST',
    path,
    form: fields,
    ...(!pending && { referenceField: 'metadata[reference]' }),
    ...accountOf(wanted, context),
  } as const
  const answer = yield* askVendorForJson(question, context)
  if (!answer.ok) return answer
  const { id: intentId, client_secret: clientSecret } = answer.body
  const publicKey = answer.facts?.['publicKey']
  if (!isIntentId(intentId) || typeof clientSecret !== 'string' || publicKey === undefined)
    return { log: describeUnreadableAnswer(vendor, JSON.stringify(answer.body)) }
  const { minor, currency } = amount
  const { blockId, resultId } = context
  const { success } = wanted
  return {
    payment: { blockId, intentId, clientSecret, publicKey, amount: minor, currency, success, resultId },
  }
}

type PaymentState =
  | { readonly state: 'paid' | 'processing' | 'unpaid' }
  | { readonly state: 'unknown'; readonly log: LogEntry }

/** Asks the provider for the state of a payment, unless it has reported it: no other source counts. */
export function* checkPayment(
  payment: PendingPayment,
  account: Pick<WantedPayment, 'credentialsId'>,
  context: RunContext,
): Effects<PaymentState> {
  if (payment.isPaid) return { state: 'paid' }
  const path = intentPath(payment.intentId)
  const answer = yield* askVendorForJson({ method: 'GET', path, ...accountOf(account, context) }, context)
  if (!answer.ok) return { state: 'unknown', log: answer.log }
  const { status, currency, amount_received: received } = answer.body
  const isWhole = currency === payment.currency && typeof received === 'number' && received >= payment.amount
  if (status === 'succeeded' && isWhole) return { state: 'paid' }
  return { state: status === 'processing' ? 'processing' : 'unpaid' }
}

const isIntentId = (id: unknown): id is string => typeof id === 'string' && isPathPart(id)

const intentPath = (id: string) => `/v1/payment_intents/${pathPart(id)}`

/** Previews never move money: they use the keys for tests. */
function accountOf(
  { credentialsId }: Pick<WantedPayment, 'credentialsId'>,
  { isLive }: RunContext,
): Pick<VendorQuestion, 'vendor' | 'credentialsId' | 'purpose' | 'headers'> {
  return { vendor, credentialsId, purpose: isLive ? 'live' : 'test', headers }
}

/** An amount of money. */
export interface PaymentAmount {
  /** Amount in the smallest unit of the currency. */
  readonly minor: number
  /** ISO 4217 code in small letters. */
  readonly currency: string
  /** Amount as people read it. */
  readonly label: string
}

const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '))
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/** Highest amount that the provider takes, in the smallest unit. */
const mostMinor = 99_999_999

/** Reads an amount in major units, such as `12.50`; undefined for what is no positive amount that can be paid. */
export function readAmount(text: string, currencyCode: string): PaymentAmount | undefined {
  const currency = currencyCode.trim().toLowerCase()
  const trimmed = text.trim()
  if (!/^[a-z]{3}$/.test(currency) || !/^\d+(?:\.\d+)?$/.test(trimmed)) return undefined
  const minor = toMinorUnits(Number(trimmed), currency)
  if (minor < 1 || minor > mostMinor) return undefined
  return { minor, currency, label: labelOf(minor, currency) }
}

/** The provider takes amounts with three decimals only where the last one is zero. */
function toMinorUnits(major: number, currency: string): number {
  if (withoutDecimals.has(currency)) return Math.round(major)
  return withThreeDecimals.has(currency) ? Math.round(major * 100) * 10 : Math.round(major * 100)
}

function labelOf(minor: number, currency: string): string {
  const decimals = withoutDecimals.has(currency) ? 0 : withThreeDecimals.has(currency) ? 3 : 2
  const options = { style: 'currency', currency, minimumFractionDigits: decimals } as const
  return new Intl.NumberFormat(currency === 'eur' ? 'fr-FR' : 'en-US', options).format(minor / 10 ** decimals)
}

import type { Mocks } from '../../../../schemas/mocks.ts'
import type { VendorCall, VendorOutcome } from '../../../engine/model/effect-payloads.ts'

const intents = '/v1/payment_intents'

/** Answer of the provider of payments about one that is simulated; undefined for what is no payment. */
export function answerPayment(
  { vendor, method, path, form = [] }: VendorCall,
  outcome: Mocks['payments'] = 'accept',
): VendorOutcome | undefined {
  if (vendor !== 'stripe' || !path.startsWith(intents)) return undefined
  const fields = new Map(form)
  const known = intentIn(path)
  const amount = fields.get('amount') ?? known.amount
  const currency = fields.get('currency') ?? known.currency
  // The id holds what the payment is about, so that nothing of it has to be kept.
  const id = method === 'POST' ? `pi_mock_${amount}_${currency}` : known.id
  const isPaid = method === 'GET' && outcome === 'accept'
  const body = {
    id,
    client_secret: `${id}_secret`,
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    currency,
    amount: Number(amount),
    amount_received: isPaid ? Number(amount) : 0,
  }
  // Without a key there is no form that could be shown.
  return { kind: 'response', status: 200, text: JSON.stringify(body), facts: { publicKey: '' } }
}

function intentIn(path: string): { readonly id: string; readonly amount: string; readonly currency: string } {
  const id = path.slice(intents.length + 1)
  const [, , amount = '0', currency = ''] = id.split('_')
  return { id, amount, currency }
}

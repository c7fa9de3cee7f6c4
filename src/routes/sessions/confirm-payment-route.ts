import { PaymentEvent, PaymentEventParams, PaymentEventResponse } from '../../../schemas/webhooks.ts'
import { confirmPayment } from '../../conversations/continue/confirm-payment.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'confirmPayment',
  tags: ['Chat'],
  summary: 'Tell that a payment was made',
  description:
    'For Stripe to call, with the events of an account. Each needs its `Stripe-Signature`, not older than five minutes. The answer of the payment input then stands in the result, though the visitor has closed the tab. An event may come again, and changes nothing then.',
  params: PaymentEventParams,
  body: PaymentEvent,
  response: {
    ...success('The event was understood', PaymentEventResponse),
    ...failures(...bodyFailures, 'TOO_MANY_REQUESTS'),
  },
}

/** Route of the payment provider's confirmations (docs/behaviour/inputs.md, "Payment input"). */
export function confirmPaymentRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/webhooks/stripe/:account', { schema }, async (request) => {
    const signature = request.headers['stripe-signature']
    const asked = {
      accountId: request.params.account,
      signature: typeof signature === 'string' ? signature : undefined,
      text: request.sentBody?.text ?? '',
      event: request.body,
      onFlow: flowNoter(request),
    }
    await confirmPayment(asked, chat)
    return { message: 'OK' as const }
  })
}

import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id } from './common.ts'
import { Type } from './type.ts'

/** The path of a webhook listener, as one visitor waits at it. */
export const WebhookParams = Type.Object({
  flowId: Type.String({ description: 'The id of the flow that the result belongs to, or its public id' }),
  blockId: Id,
  resultId: Type.String({ description: 'The result of the visitor, as the public start returned it' }),
})

/** Payload from another system: any object, which the listener reads as `data`. */
export const ExecuteWebhookBody = Type.Object(
  {},
  { additionalProperties: true, examples: [{ status: 'paid', items: [{ sku: 'K-9' }] }] },
)

export const ExecuteWebhookResponse = ClosedObject(
  { message: Type.Literal('OK') },
  { examples: [{ message: 'OK' }] },
)

/** The account that the payment belongs to. */
export const PaymentEventParams = Type.Object({
  account: Type.String({ description: 'The id of the account in `CREDENTIALS_FILE`', examples: ['shop'] }),
})

/** An event of Stripe; nothing else of it is read. */
export const PaymentEvent = Type.Object(
  {
    type: Type.String({ examples: ['payment_intent.succeeded'] }),
    data: Type.Object({
      object: Type.Object({
        id: Type.Optional(Type.String({ examples: ['pi_1'] })),
        status: Type.Optional(Type.String({ examples: ['succeeded'] })),
        currency: Type.Optional(Type.String({ examples: ['eur'] })),
        amount_received: Type.Optional(Type.Number({ examples: [1250] })),
        metadata: Type.Optional(
          Type.Object({
            reference: Type.Optional(
              Type.String({ maxLength: 500, description: 'Names the conversation, sealed by this service' }),
            ),
          }),
        ),
      }),
    }),
  },
  {
    examples: [
      {
        type: 'payment_intent.succeeded',
        data: { object: { id: 'pi_1', status: 'succeeded', currency: 'eur', amount_received: 1250 } },
      },
    ],
  },
)
export type PaymentEvent = Static<typeof PaymentEvent>

/** Response to every event that the provider has signed. */
export const PaymentEventResponse = ClosedObject(
  { message: Type.Literal('OK') },
  { examples: [{ message: 'OK' }] },
)

import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id } from './common.ts'
import { Type } from './type.ts'

/** The path of a webhook listener, as one visitor waits at it. */
export const WebhookParams = Type.Object({
  flowId: Type.String({ description: 'The id of the flow that the result belongs to, or its public id' }),
  blockId: Id,
  resultId: Type.String({ description: 'The result of the visitor, as the public start returned it' }),
})
export type WebhookParams = Static<typeof WebhookParams>

/** Payload from another system: any object, which the listener reads as `data`. */
export const ExecuteWebhookBody = Type.Object(
  {},
  { additionalProperties: true, examples: [{ status: 'paid', items: [{ sku: 'K-9' }] }] },
)
export type ExecuteWebhookBody = Static<typeof ExecuteWebhookBody>

export const ExecuteWebhookResponse = ClosedObject(
  { message: Type.Literal('OK') },
  { examples: [{ message: 'OK' }] },
)
export type ExecuteWebhookResponse = Static<typeof ExecuteWebhookResponse>

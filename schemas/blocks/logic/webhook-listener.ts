import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { ResponseVariableMapping } from '../../response-variable-mapping.ts'
import { Type } from '../../type.ts'

/** Waits until another system calls, and reads what it sends. Not to be confused with `Webhook`, which calls out. */
export const WebhookListenerBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('webhook'),
  options: Type.Optional(PartialObject({ responseVariableMapping: ResponseVariableMapping })),
})
export type WebhookListenerBlock = Static<typeof WebhookListenerBlock>

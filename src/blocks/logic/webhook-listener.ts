import type { WebhookListenerBlock } from '../../../schemas/blocks/logic/webhook-listener.ts'
import { defineBlock } from '../../engine/block-handler.ts'

/** Has the client listen for a call from outside, and waits for it (docs/behaviour.md, "Webhook listener"). */
export const webhookListener = defineBlock<WebhookListenerBlock, undefined>({
  types: ['webhook'],
  kind: 'logic',
  compile: () => undefined,
  run: () => ({
    actions: [{ type: 'listenForWebhook', expectsDedicatedReply: true }],
    next: { to: 'wait' },
  }),
})

import type { WebhookListenerBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { parseJson } from '../integrations/http-request/parse-json.ts'
import { compileResponseMapping, isMappable, mapResponse, type ResponseMapping } from '../response-mapping.ts'

/** Has the client listen for a call from outside, and waits for it (docs/behaviour/logic.md, "Webhook listener"). */
export const webhookListener = defineBlock<WebhookListenerBlock, ResponseMapping>({
  types: ['webhook'],
  kind: 'logic',
  compile: ({ options }, context) => compileResponseMapping(options?.responseVariableMapping, context),
  run: () => ({
    actions: [{ type: 'listenForWebhook', expectsDedicatedReply: true }],
    next: { to: 'wait' },
  }),
  *handleClientReply(mapping, text, context) {
    context.spend(text.length)
    const sent = parseJson(text) ?? { value: { statusCode: 200, data: text } }
    return isMappable(sent.value) ? yield* mapResponse(mapping, sent.value, context) : {}
  },
  marks: { mapping: { option: 'responseVariableMapping', counts: 'first' } },
})

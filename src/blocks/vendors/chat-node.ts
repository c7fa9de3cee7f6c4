import { ChatNodeBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { pathPart } from '../../engine/values/path-part.ts'
import { askVendorForJson, reportProblem } from './lib/ask-vendor.ts'
import { assignItems, mappingMarks, plainPart } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<ChatNodeBlock['options']>

/** Asks an assistant of ChatNode (docs/behaviour/integrations.md, "ChatNode"). */
export const chatNode = defineVendorBlock<ChatNodeBlock>({
  schema: ChatNodeBlock,
  actions: { 'Send Message': sendMessage },
  marks: mappingMarks,
})

/** Milliseconds that an assistant has for an answer. */
const timeoutMs = 60_000

function* sendMessage(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, botId, threadId, message } = options
  if (botId === undefined) return { logs: [reportProblem('Bot ID is missing')] }
  if (message === undefined) return { logs: [reportProblem('Message is empty')] }
  const answer = yield* askVendorForJson(
    {
      vendor: 'chat-node',
      credentialsId,
      method: 'POST',
      path: `/${pathPart(botId)}`,
      json: { message, ...(threadId !== undefined && { chat_session_id: threadId }) },
      timeoutMs,
    },
    context,
  )
  if (!answer.ok) return { logs: [answer.log] }
  const { message: said, chat_session_id: thread } = answer.body
  return {
    assignments: assignItems(
      options.responseMapping,
      { Message: plainPart(said), 'Thread ID': plainPart(thread) },
      'Message',
    ),
  }
}

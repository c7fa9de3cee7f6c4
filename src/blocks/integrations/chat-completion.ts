import { type ChatCompletionBlock, chatCompletionTypes } from '../../../schemas/blocks/models.ts'
import { defineCompletionBlock } from './chat-completion/completion-block.ts'

/** Asks a language model (docs/behaviour/integrations.md, "Chat completion"). */
export const chatCompletion = defineCompletionBlock<ChatCompletionBlock>({
  types: chatCompletionTypes,
  configure: ({ type, options }) => options && { type, options },
})

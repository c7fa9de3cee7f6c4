import { chatCompletionTypes } from '../../../schemas/blocks/integrations/chat-completion.ts'
import { notAvailableBlock } from '../not-available.ts'

/** Passes over blocks that ask a language model. */
export const chatCompletion = notAvailableBlock(chatCompletionTypes)

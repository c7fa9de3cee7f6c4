import {
  type ChatCompletionBlock,
  chatCompletionTypes,
} from '../../../../../schemas/blocks/integrations/chat-completion.ts'
import { defineRule } from '../../rule.ts'

const creating = new Set(['Create chat completion', 'Create Chat Message'])

/** Questions to models without words. */
export const messagesMissing = defineRule({
  code: 'messages-missing',
  severity: 'error',
  title: 'A question to a model without messages',
  description:
    'The block has neither messages nor a system message, or asks for variables without a prompt: the model is not asked, with an error log. Write what it is to answer.',
  blockTypes: chatCompletionTypes,
  checkBlock({ block, pointer }, { report }) {
    const { options } = block as ChatCompletionBlock
    const { action, messages = [], systemMessage, prompt } = options ?? {}
    if (action && creating.has(action)) {
      const isSaid = messages.some(({ content, dialogueVariableId }) => content || dialogueVariableId)
      if (!isSaid && !systemMessage)
        report({ pointer: `${pointer}/options`, message: 'This asks the model nothing.' })
    }
    if (action === 'Generate variables' && !prompt) {
      report({ pointer: `${pointer}/options`, message: 'This asks for variables without a prompt.' })
    }
  },
})

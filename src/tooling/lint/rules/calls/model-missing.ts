import {
  type ChatCompletionBlock,
  chatCompletionTypes,
} from '../../../../../schemas/blocks/integrations/chat-completion.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Questions to no model in particular. */
export const modelMissing = defineRule({
  code: 'model-missing',
  severity: 'error',
  title: 'A question to a model that is not named',
  description:
    'The block asks a language model, and says neither which nor what for: it leaves an error log, and its variables stay as they are. Choose an action and a model.',
  blockTypes: chatCompletionTypes,
  checkBlock(placed, { report }) {
    const options = completionOf(placed)
    const pointer = `${placed.pointer}/options`
    if (!options) return
    if (!options.action) return report({ pointer, message: 'This block has no action.' })
    if (needsModel.has(options.action) && !options.model?.trim())
      report({ pointer, message: 'This block names no model.' })
  },
})

/** Others name one themselves where the block does not. */
const needsModel = new Set([
  'Create chat completion',
  'Create Chat Message',
  'Generate variables',
  'Ask Model',
])

function completionOf({ block }: PlacedBlock): ChatCompletionBlock['options'] {
  return (block as ChatCompletionBlock).options
}

import { type ChatCompletionBlock, chatCompletionTypes } from '../../../../../schemas/blocks/models.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const modelMissing = defineRule({
  code: 'model-missing',
  severity: 'error',
  title: 'A question to a model that is not named',
  remedy: 'Write what it lacks: "action": "Create chat completion", "model": "gpt-4o-mini".',
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

const creating = new Set(['Create chat completion', 'Create Chat Message'])

const messagesMissing = defineRule({
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

const toolName = /^[a-zA-Z0-9_-]{1,64}$/

const badToolName = defineRule({
  code: 'bad-tool-name',
  severity: 'error',
  title: 'A function that a model can not call',
  description:
    'The name of a function has other characters than letters, digits, `_` and `-`, or more than 64 of them; two functions have one name; or a parameter is one of several words, and there are none. Providers refuse the whole question for it. Rename it, or list the words.',
  blockTypes: chatCompletionTypes,
  checkBlock({ block, pointer }, { report }) {
    const { tools = [] } = (block as ChatCompletionBlock).options ?? {}
    const names = new Set<string>()
    for (const [index, { name, parameters = [] }] of tools.entries()) {
      const at = `${pointer}/options/tools/${index}`
      if (!name) report({ pointer: at, message: 'This function has no name, and is left out.' })
      else if (!toolName.test(name))
        report({ pointer: `${at}/name`, message: `Models can't call "${name}".` })
      else if (names.has(name))
        report({ pointer: `${at}/name`, message: `An earlier function is named "${name}".` })
      names.add(name ?? '')
      for (const [row, { type, values = [] }] of parameters.entries()) {
        const isEmpty = type === 'enum' && values.length === 0
        if (isEmpty)
          report({ pointer: `${at}/parameters/${row}`, message: 'There are no words to choose from.' })
      }
    }
  },
})

const noToolAllowed = defineRule({
  code: 'no-tool-allowed',
  severity: 'warning',
  title: 'An MCP server of which no tool may be called',
  description:
    'The block names a server of tools, and none of its tools: the server is not asked, and the model knows nothing of it. List the names of the `tools` that the model may call, or take the server out.',
  blockTypes: chatCompletionTypes,
  checkBlock(placed, { report }) {
    for (const [index, { tools = [] }] of (completionOf(placed)?.mcpServers ?? []).entries()) {
      if (tools.length > 0) continue
      const pointer = `${placed.pointer}/options/mcpServers/${index}`
      report({ pointer, message: 'The model may call no tool of this server.' })
    }
  },
})

/** Rules about questions to models. */
export const modelRules: readonly Rule[] = [modelMissing, messagesMissing, badToolName, noToolAllowed]

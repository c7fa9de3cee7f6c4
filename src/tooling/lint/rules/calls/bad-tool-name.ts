import {
  type ChatCompletionBlock,
  chatCompletionTypes,
} from '../../../../../schemas/blocks/integrations/chat-completion.ts'
import { defineRule } from '../../rule.ts'

const allowed = /^[a-zA-Z0-9_-]{1,64}$/

/** Functions that no model can call. */
export const badToolName = defineRule({
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
      else if (!allowed.test(name)) report({ pointer: `${at}/name`, message: `Models can't call "${name}".` })
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

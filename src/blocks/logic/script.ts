import type { ScriptBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Step } from '../../engine/model/step.ts'
import { renderClientScript } from '../../engine/templates/client-script.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { runScript } from './server-script.ts'

interface Script {
  readonly content: TextTemplate
  readonly isExecutedOnClient: boolean
  readonly isUnsafe: boolean | undefined
}

/** Runs code in the browser, or here where the block says so (docs/behaviour/logic.md, "Script"). */
export const script = defineBlock<ScriptBlock, Script | undefined>({
  types: ['Code'],
  kind: 'logic',
  compile({ options }, context) {
    if (!options?.content) return undefined
    const { content, isExecutedOnClient = true, isUnsafe } = options
    return { content: context.text(content, '/options/content'), isExecutedOnClient, isUnsafe }
  },
  run(compiled, context) {
    if (!compiled) return {}
    return compiled.isExecutedOnClient ? sendScript(compiled, context) : runScript(compiled.content, context)
  },
  isPassThrough: () => true,
  marks: { isClientOnly: ({ options }) => options?.isExecutedOnClient !== false },
})

function sendScript({ content, isUnsafe }: Script, context: RunContext): Step {
  const scriptToExecute = {
    ...renderClientScript(content, context),
    ...(isUnsafe !== undefined && { isUnsafe }),
  }
  return { actions: [{ type: 'scriptToExecute', scriptToExecute }] }
}

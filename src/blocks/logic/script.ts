import type { ScriptBlock } from '../../../schemas/blocks/logic/script.ts'
import { defineBlock } from '../../engine/block-handler.ts'
import { renderClientScript } from '../../engine/client-script.ts'
import type { Step } from '../../engine/step.ts'
import type { TextTemplate } from '../../engine/text-template.ts'

interface ClientScript {
  readonly content: TextTemplate
  readonly isUnsafe: boolean | undefined
}

/** Runs code in the browser (docs/behaviour.md, "Script"). Code meant for the server is told not to have run. */
export const script = defineBlock<ScriptBlock, ClientScript | 'server' | undefined>({
  types: ['Code'],
  kind: 'logic',
  compile({ options }, context) {
    if (!options?.content) return undefined
    if (options.isExecutedOnClient === false) {
      const hint =
        'This server runs no scripts: run this one on the client, or use a Set variable block for simple expressions.'
      context.report({ code: 'not-available', severity: 'warning', at: '/options/isExecutedOnClient', hint })
      return 'server'
    }
    return { content: context.text(options.content, '/options/content'), isUnsafe: options.isUnsafe }
  },
  run(compiled, context): Step {
    if (!compiled) return {}
    if (compiled === 'server') return { logs: [didNotRun] }
    const { content, isUnsafe } = compiled
    const scriptToExecute = {
      ...renderClientScript(content, context),
      ...(isUnsafe !== undefined && { isUnsafe }),
    }
    return { actions: [{ type: 'scriptToExecute', scriptToExecute }] }
  },
  alwaysPasses: () => true,
})

const didNotRun = {
  status: 'error',
  context: 'Script',
  description: 'The script did not run: this server does not run scripts',
} as const

import {
  type ChatCompletionBlock,
  chatCompletionTypes,
} from '../../../schemas/blocks/integrations/chat-completion.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { notAvailable, reportNotAvailable } from '../not-available.ts'
import type { Action, CompileAction } from './chat-completion/action.ts'
import { createCompletion } from './chat-completion/create-completion.ts'
import { reportFailure } from './chat-completion/failure.ts'
import { generateVariables } from './chat-completion/generate-variables.ts'

const actions: ReadonlyMap<string, CompileAction> = new Map([
  ['Create chat completion', createCompletion],
  ['Create Chat Message', createCompletion],
  ['Generate variables', generateVariables],
])

/** Asks a language model, or has the client be streamed what it says (docs/behaviour/integrations.md, "Chat completion"). */
export const chatCompletion = defineBlock<ChatCompletionBlock, Action | undefined>({
  types: chatCompletionTypes,
  kind: 'integration',
  compile: ({ type, options }, context) => options && compileAction({ type, options }, context),
  run(action, context) {
    if (!action) return {}
    return isStreamed(action, context) ? streamed : action.run(context)
  },
  handleClientReply(action, value) {
    const variableId = action?.streamedVariableId
    return variableId === undefined
      ? {}
      : { assignments: [{ variableId, value }], shownVariableId: variableId }
  },
  stream: (action, context) => (action ? runStreamed(action, context) : {}),
  isPassThrough: () => true,
})

const streamed: Step = {
  actions: [{ type: 'stream', stream: true, expectsDedicatedReply: true }],
  next: { to: 'wait' },
}

function compileAction(block: Parameters<CompileAction>[0], context: CompileContext): Action {
  const { action } = block.options
  if (!action) return { run: () => ({ logs: [reportFailure(`${block.type} is not configured`)] }) }
  const compile = actions.get(action)
  if (compile) return compile(block, context)
  reportNotAvailable(action, context)
  return { run: () => notAvailable(action) }
}

/** Whether a bubble comes next that would show nothing but the answer. */
function isStreamed({ streamedVariableId }: Action, { streamedVariable }: RunContext): boolean {
  return streamedVariable?.candidates.some(({ id }) => id === streamedVariableId) === true
}

/** The client sends back what it was streamed: everything else is written meanwhile. */
function* runStreamed({ run, streamedVariableId }: Action, context: RunContext): Effects<Step> {
  const step = run(context)
  const { assignments = [], ...rest } = Symbol.iterator in step ? yield* step : step
  return { ...rest, assignments: assignments.filter(({ variableId }) => variableId !== streamedVariableId) }
}

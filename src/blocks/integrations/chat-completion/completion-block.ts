import {
  type AnyBlock,
  type BlockHandler,
  type BlockSchema,
  type CompileContext,
  defineBlock,
} from '../../../engine/model/block-handler.ts'
import {
  isAnswerStreamed,
  reportNotAvailable,
  runStreamed,
  skipUnavailable,
  waitForStream,
} from '../../integration-steps.ts'
import { type Action, type CompileAction, type ConfiguredBlock, reportFailure } from './action.ts'
import { askModel } from './ask-model.ts'
import { createSpeech, createTranscription } from './audio.ts'
import { appended, createCompletion } from './create-completion.ts'
import { generateVariables } from './generate-variables.ts'

const actionsOfAll: readonly (readonly [string, CompileAction])[] = [
  ['Create chat completion', createCompletion],
  ['Create Chat Message', createCompletion],
  ['Generate variables', generateVariables],
]

const actions = new Map(actionsOfAll)

/** Actions of one maker only. */
const actionsOfOpenAi: ReadonlyMap<string, CompileAction> = new Map([
  ...actionsOfAll,
  ['Ask Model', askModel],
  ['Create speech', createSpeech],
  ['Create transcription', createTranscription],
])

interface CompletionBlockDefinition<Block extends AnyBlock> {
  readonly schema: BlockSchema<Block>
  /** Configuration of a block; undefined for one that its author has not set up. */
  configure(block: Block): ConfiguredBlock | undefined
}

/** Declares blocks that ask a language model, or have the client be streamed what it says. */
export function defineCompletionBlock<Block extends AnyBlock>({
  schema,
  configure,
}: CompletionBlockDefinition<Block>): BlockHandler {
  return defineBlock<Block, Action | undefined>({
    schema,
    kind: 'integration',
    compile(block, context) {
      const configured = configure(block)
      return configured && compileAction(configured, context)
    },
    run(action, context) {
      if (!action) return {}
      return isAnswerStreamed(action.streamedVariableId, context) ? waitForStream : action.run(context)
    },
    handleClientReply(action, text, { variables }) {
      const variableId = action?.streamedVariableId
      if (!action || variableId === undefined) return {}
      const value = action.appendsToLists ? appended(variables.get(variableId), text) : text
      return { assignments: [{ variableId, value }], shownVariableId: variableId }
    },
    stream: (action, context) => (action ? runStreamed(action.run(context), action.streamedVariableId) : {}),
    isPassThrough: () => true,
    marks: {
      calls: true,
      account: (block) => configure(block)?.type,
      mapping: { option: 'responseMapping', counts: 'first' },
    },
  })
}

/** Actions that no server answers any more. */
const retired: ReadonlyMap<string, string> = new Map([
  [
    'Ask Assistant',
    'OpenAI has shut down its assistants on 2026-08-26: "Ask Model" takes their place. The block is passed over with a log.',
  ],
])

function compileAction(block: ConfiguredBlock, context: CompileContext): Action {
  const { action } = block.options
  if (!action)
    return { run: () => ({ logs: [reportFailure(`${block.name ?? block.type} is not configured`)] }) }
  const compile = (block.type === 'openai' ? actionsOfOpenAi : actions).get(action)
  if (compile) return compile(block, context)
  const hint = retired.get(action)
  if (hint === undefined) reportNotAvailable(action, context)
  else context.report({ code: 'retired-action', severity: 'warning', at: '/options/action', hint })
  return { run: () => skipUnavailable(action) }
}

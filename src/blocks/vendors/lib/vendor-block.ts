import { tagsOf } from '../../../../schemas/tagged-union.ts'
import {
  type AnyBlock,
  type BlockHandler,
  type BlockMarks,
  type BlockSchema,
  type CompileContext,
  defineBlock,
  type RunContext,
} from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { Step } from '../../../engine/model/step.ts'
import type { JsonCompilation, JsonTemplate } from '../../../engine/templates/json-template.ts'
import { PathPartError } from '../../../engine/values/path-part.ts'
import {
  isAnswerStreamed,
  reportNotAvailable,
  runStreamed,
  skipUnavailable,
  waitForStream,
} from '../../integration-steps.ts'
import { reportProblem } from './ask-vendor.ts'
import { omitEmptyTexts } from './rows-and-items.ts'

interface VendorOptions {
  readonly credentialsId?: string
  readonly action?: string
}

interface VendorBlock extends AnyBlock {
  readonly options?: VendorOptions
}

/** Action of a block, with the options of the block once their placeholders are filled in. */
export type VendorAction<Options> = (options: Options, context: RunContext) => Step | Effects<Step>

interface VendorBlockDefinition<Block extends VendorBlock, Options = NonNullable<Block['options']>> {
  readonly schema: BlockSchema<Block>
  /** Actions by their names in the options. */
  readonly actions: Readonly<Record<string, VendorAction<Options>>>
  /** Options that clients take for addresses. */
  readonly addressAt?: JsonCompilation['addressAt']
  /** Set where the request counts visitors: previews send nothing. */
  readonly isLiveOnly?: boolean
  /** Marks that differ from those of a block that calls its vendor. */
  readonly marks?: BlockMarks
  /** The variable that takes the answer, for options whose answer can be streamed. */
  streamedVariableOf?(options: Options): string | undefined
}

interface CompiledVendorBlock<Options> {
  readonly run: VendorAction<Options>
  readonly options: JsonTemplate<Options>
  readonly streamedVariableId: string | undefined
}

/**
 * Declares a block that calls a vendor's service. Placeholders of all options are filled in when it runs, and options
 * whose text is empty then count as missing (docs/behaviour/integrations.md, "Blocks of vendors").
 */
export function defineVendorBlock<Block extends VendorBlock>({
  schema,
  actions,
  addressAt,
  isLiveOnly = false,
  marks = { calls: true },
  streamedVariableOf,
}: VendorBlockDefinition<Block>): BlockHandler {
  const [type = ''] = tagsOf(schema)
  type Options = NonNullable<Block['options']>
  const compile = (options: Options, context: CompileContext): CompiledVendorBlock<Options> => {
    const { action } = options
    const run = action === undefined ? undefined : Object.hasOwn(actions, action) && actions[action]
    if (action !== undefined && !run) reportNotAvailable(action, context)
    return {
      run: run || (() => (action === undefined ? notConfigured(type) : skipUnavailable(action))),
      options: context.json(options, '/options', addressAt),
      streamedVariableId: streamedVariableOf?.(options),
    }
  }
  const call = ({ run, options }: CompiledVendorBlock<Options>, context: RunContext) =>
    reportBadPaths(run(omitEmptyTexts(context.render(options).value), context))
  return defineBlock<Block, CompiledVendorBlock<Options> | undefined>({
    schema,
    kind: 'integration',
    compile: ({ options }, context) => options && compile(options as Options, context),
    run(compiled, context) {
      if (!compiled || (isLiveOnly && !context.isLive && !context.isMocked)) return {}
      return isAnswerStreamed(compiled.streamedVariableId, context) ? waitForStream : call(compiled, context)
    },
    ...(streamedVariableOf && {
      stream: (compiled, context) =>
        compiled ? runStreamed(call(compiled, context), compiled.streamedVariableId) : {},
      handleClientReply(compiled, text) {
        const variableId = compiled?.streamedVariableId
        if (variableId === undefined) return {}
        return { assignments: [{ variableId, value: text }], shownVariableId: variableId }
      },
    }),
    isPassThrough: () => true,
    marks: { account: () => type, ...marks },
  })
}

/** A value that can't stand in the address of a call ends the action with a log. */
function reportBadPaths(step: Step | Effects<Step>): Step | Effects<Step> {
  return Symbol.iterator in step ? catchBadPaths(step) : step
}

function* catchBadPaths(step: Effects<Step>): Effects<Step> {
  try {
    return yield* step
  } catch (error) {
    if (!(error instanceof PathPartError)) throw error
    return { logs: [reportProblem(error.message)] }
  }
}

function notConfigured(type: string): Step {
  return { logs: [reportProblem(`${type} is not configured`)] }
}

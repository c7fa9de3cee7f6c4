import type { ChatCompletionBlock } from '../../../../schemas/blocks/integrations/chat-completion.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { Step } from '../../../engine/model/step.ts'

/** What a block asks a model for, prepared. */
export interface Action {
  run(context: RunContext): Step | Effects<Step>
  /** The variable that takes the answer, for an action whose answer can be streamed. */
  readonly streamedVariableId?: string | undefined
}

/** A block that its author has begun to set up. */
export interface ConfiguredBlock extends Pick<ChatCompletionBlock, 'type'> {
  readonly options: NonNullable<ChatCompletionBlock['options']>
}

/** Prepares one kind of action. */
export type CompileAction = (block: ConfiguredBlock, context: CompileContext) => Action

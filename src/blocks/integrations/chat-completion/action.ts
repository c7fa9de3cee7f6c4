import type { ChatCompletionBlock } from '../../../../schemas/blocks/models.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { Step } from '../../../engine/model/step.ts'

/** Compiled request of a block to a model. */
export interface Action {
  run(context: RunContext): Step | Effects<Step>
  /** The variable that takes the answer, for an action whose answer can be streamed. */
  readonly streamedVariableId?: string | undefined
  /** Whether an answer comes behind the elements of a variable that holds a list. */
  readonly appendsToLists?: boolean | undefined
}

/** A block that its author has begun to set up. */
export interface ConfiguredBlock extends Pick<ChatCompletionBlock, 'type'> {
  readonly options: Omit<Options, 'messages'> & { readonly messages?: readonly GivenMessage[] }
  /** Name of the block in logs, if it is not its type. */
  readonly name?: string
  readonly appendsToLists?: boolean
}

type Options = NonNullable<ChatCompletionBlock['options']>

/** A row of messages. Two lists that go by turns are known to older blocks only. */
export type GivenMessage = NonNullable<Options['messages']>[number] & {
  readonly userMessagesVariableId?: string
  readonly assistantMessagesVariableId?: string
}

/** Prepares one kind of action. */
export type CompileAction = (block: ConfiguredBlock, context: CompileContext) => Action

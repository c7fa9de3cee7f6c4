import type { ChatCompletionBlock } from '../../../../schemas/blocks/models.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { CompletionOutcome } from '../../../engine/model/effect-payloads.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
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

/** Characters of a model server's message that a log quotes. */
const detailsCharacters = 1000

/** Something that went wrong, as a log without anything around it. */
export function reportFailure(description: string): LogEntry {
  return visibleError({ description })
}

/** The log for a completion that failed, with the message of the model's server. */
export function describeFailure(
  outcome: Exclude<CompletionOutcome, { kind: 'answer' }>,
  { blockType, context }: { readonly blockType: string; readonly context: string },
): LogEntry {
  if (outcome.kind === 'no account') return reportFailure(`Could not find credentials for block ${blockType}`)
  const { message, details } = outcome
  return {
    ...reportFailure(message),
    context,
    // An error of the model's server may quote the account.
    audience: 'visitors without details',
    ...(details !== undefined && { details: details.slice(0, detailsCharacters) }),
  }
}

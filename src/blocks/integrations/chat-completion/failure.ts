import type { Log } from '../../../../schemas/log.ts'
import type { CompletionOutcome } from '../../../engine/model/effect-payloads.ts'

/** How much of what a model's server says is told. */
const toldCharacters = 1000

/** Something that went wrong, as a log without anything around it. */
export function reportFailure(description: string): Log {
  return { status: 'error', description }
}

/** What the author is told when there is no answer, with what the model's server said about it. */
export function describeFailure(
  outcome: Exclude<CompletionOutcome, { kind: 'answer' }>,
  { blockType, context }: { readonly blockType: string; readonly context: string },
): Log {
  if (outcome.kind === 'no account') return reportFailure(`Could not find credentials for block ${blockType}`)
  const { message, details } = outcome
  return {
    ...reportFailure(message),
    context,
    ...(details !== undefined && { details: details.slice(0, toldCharacters) }),
  }
}

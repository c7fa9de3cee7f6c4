import type { Log } from '../../../../schemas/log.ts'
import type { CompletionOutcome } from '../../../engine/model/effect-payloads.ts'

/** Characters of a model server's message that a log quotes. */
const toldCharacters = 1000

/** Something that went wrong, as a log without anything around it. */
export function reportFailure(description: string): Log {
  return { status: 'error', description }
}

/** The log for a completion that failed, with the message of the model's server. */
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

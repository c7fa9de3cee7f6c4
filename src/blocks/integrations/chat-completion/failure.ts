import type { CompletionOutcome } from '../../../engine/model/effect-payloads.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'

/** Characters of a model server's message that a log quotes. */
const detailsCharacters = 1000

/** Something that went wrong, as a log without anything around it. */
export function reportFailure(description: string): LogEntry {
  return { audience: 'visitors', status: 'error', description }
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

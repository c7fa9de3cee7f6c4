import type { CompletionOutcome } from '../../engine/model/effect-payloads.ts'
import { LimitExceeded } from '../../engine/model/limits.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import { type ErrorCode, ServiceError } from '../../lib/errors.ts'

/** Thrown when a model gives no answer, or no end of one. */
export class StreamError extends ServiceError {
  readonly details: string | undefined

  constructor(code: ErrorCode, message: string, details?: string) {
    super(code, message)
    this.details = details
  }

  /** The log for the author. */
  get log(): LogEntry {
    const { message: description, details } = this
    const context = 'While streaming message'
    return { status: 'error', context, description, ...(details !== undefined && { details }) }
  }
}

/** Error for a client whose question led to nothing. */
export function toUnansweredError(
  outcome: Exclude<CompletionOutcome, { kind: 'answer' }>,
  blockType: string,
): StreamError {
  return outcome.kind === 'no account'
    ? new StreamError('NOT_FOUND', `Could not find credentials for block ${blockType}`)
    : new StreamError('SERVICE_UNAVAILABLE', outcome.message, outcome.details)
}

/** Error for a client whose answer was ended by this; undefined for a defect. */
export function toStreamError(error: unknown): StreamError | undefined {
  if (error instanceof StreamError) return error
  if (error instanceof LimitExceeded) return new StreamError('BAD_REQUEST', error.message)
  if (error instanceof ServiceError) return new StreamError(error.code, error.message)
  return undefined
}

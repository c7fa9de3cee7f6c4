import type { Log } from '../../../schemas/log.ts'
import type { CompletionOutcome } from '../../engine/model/effect-payloads.ts'
import { BudgetSpent } from '../../engine/model/limits.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'

/** Thrown when there is no answer of a model to tell, or no end of one. */
export class NoAnswer extends ServiceError {
  readonly details: string | undefined

  constructor(code: ErrorCode, message: string, details?: string) {
    super(code, message)
    this.details = details
  }

  /** What the author is told. */
  get log(): Log {
    const { message: description, details } = this
    const context = 'While streaming message'
    return { status: 'error', context, description, ...(details !== undefined && { details }) }
  }
}

/** What it means for a client that a question led to nothing. */
export function unanswered(
  outcome: Exclude<CompletionOutcome, { kind: 'answer' }>,
  blockType: string,
): NoAnswer {
  return outcome.kind === 'no account'
    ? new NoAnswer('NOT_FOUND', `Could not find credentials for block ${blockType}`)
    : new NoAnswer('SERVICE_UNAVAILABLE', outcome.message, outcome.details)
}

/** What anything that ended an answer means for a client; undefined for a defect. */
export function asNoAnswer(error: unknown): NoAnswer | undefined {
  if (error instanceof NoAnswer) return error
  if (error instanceof BudgetSpent) return new NoAnswer('BAD_REQUEST', error.message)
  if (error instanceof ServiceError) return new NoAnswer(error.code, error.message)
  return undefined
}

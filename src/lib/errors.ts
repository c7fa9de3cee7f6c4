import type { ErrorBody } from '../../schemas/error.ts'

/** Stable names of everything that can go wrong; the texts are free to change, save those that clients match. */
export type ErrorCode = ErrorBody['code']

/** One thing that is wrong with a document: where, and what would be right. */
export interface Problem {
  /** JSON pointer into what was sent (RFC 6901); empty for the whole. */
  readonly pointer: string
  readonly message: string
  /** Place in a file, as `file:line:column`. */
  readonly place?: string
}

/** Members of an error beside its code and message. */
interface ErrorExtension {
  /** The input that a session waits for at present. */
  readonly input?: object | undefined
  /** The reason why a session is not found. */
  readonly reason?: 'ended' | 'expired' | 'unknown'
}

/** A refusal that is returned to the caller. Anything else that is thrown is a defect, and its text stays inside. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly problems: readonly Problem[] | undefined
  /** Seconds after which the request is worth repeating. */
  readonly retryAfter: number | undefined
  readonly extension: ErrorExtension | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      problems?: readonly Problem[]
      cause?: unknown
      retryAfter?: number
      extension?: ErrorExtension
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.problems = options.problems
    this.retryAfter = options.retryAfter
    this.extension = options.extension
  }
}

/** The refusal of what was sent, for what is wrong in it. */
export const invalidInput = (problems: readonly Problem[]): ServiceError =>
  new ServiceError('BAD_REQUEST', 'Input validation failed', { problems })

/** The refusal of a request that takes long while too many others do. */
export function tooManyHeavy(): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Overloaded: too many long requests are being answered; try again later',
  )
}

/** The same refusal, for a document that is a part of what was sent: where it lies, as a JSON pointer. */
export function placeProblems(error: unknown, place: string): unknown {
  if (!(error instanceof ServiceError) || !error.problems) return error
  const problems = error.problems.map(({ pointer, message }) => ({ pointer: place + pointer, message }))
  return new ServiceError(error.code, error.message, { problems, cause: error })
}

/** A problem and its place, for a line of a terminal: a pointer alone shows no place there. */
export function lineOfProblem({ pointer, message }: Problem): string {
  return pointer === '' ? message : `${pointer} ${message}`
}

/** The first thing that is wrong with a document, and where, by the error that it led to. */
export function firstProblemOf(error: ServiceError): string {
  const [problem] = error.problems ?? []
  return problem ? lineOfProblem(problem) : error.message
}

/** Problems of a document, by the error that they led to. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ServiceError && error.problems) return error.problems
  return [{ pointer: '', message: error instanceof Error ? error.message : String(error) }]
}

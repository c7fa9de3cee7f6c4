import type { ResultFilter } from '../stores/result-store.ts'

/** Which results an operator asks for: of all that are named. */
export interface ResultSelection
  extends Pick<ResultFilter, 'from' | 'until' | 'answer' | 'answeredAt' | 'text'> {
  /** Ids of blocks of the flow itself that the conversation came through. */
  readonly visited?: readonly string[] | undefined
  readonly started?: boolean | undefined
  readonly completed?: boolean | undefined
  readonly handedOver?: boolean | undefined
  /** A hash or a number. */
  readonly version?: string | undefined
  /** The block where it ended, or waits for longer than the idle life of the flow. */
  readonly leftAt?: string | undefined
  /** The block where it waits, and may still go on. */
  readonly waitingAt?: string | undefined
  /** The linked flow that has the block of these. */
  readonly atFlow?: string | undefined
  /** Whether it waits, wherever, and may still go on. */
  readonly waiting?: boolean | undefined
  /** The language that it began in. */
  readonly locale?: string | undefined
  /** The messenger that it is held on. */
  readonly channel?: string | undefined
}

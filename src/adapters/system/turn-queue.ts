import { setImmediate } from 'node:timers/promises'
import type { Ports } from '../../ports/ports.ts'

/**
 * Iterations of the event loop without anything to do that pass before work goes on. A connection is accepted in one,
 * read in another, and no iteration accepts more than one.
 */
const quietIterations = 3

/** Iterations after which work goes on all the same: a process that is never quiet must not starve it. */
const mostIterations = 16

/** Duration of an idle iteration at most, in milliseconds. */
const quietMs = 0.05

type Row = (() => void)[]

/** The turns that wait to go on with their work, or to begin it. */
export interface TurnQueue {
  /** Resolves when it is the caller's turn, in the order of the calls. */
  nextTurn: Ports['nextTurn']
  firstTurn: Ports['firstTurn']
  /** Turns that wait to continue, and turns that wait to begin. */
  readonly waiting: number
}

/**
 * Resumes one waiting turn, then lets all other work run, then the next: one turn at a time delays other work, however
 * many are running. New turns alternate with those that continue: small work ends with its first slice, and does not
 * wait for all the slices of large work.
 */
export function createTurnQueue(letOthersRun: () => Promise<void> = untilQuiet): TurnQueue {
  const goingOn: Row = []
  const beginning: Row = []
  let mayBegin = true
  const waiting = () => goingOn.length + beginning.length
  const serve = async () => {
    while (waiting() > 0) {
      await letOthersRun()
      const [row, other] = mayBegin ? [beginning, goingOn] : [goingOn, beginning]
      mayBegin = !mayBegin
      const next = row.length > 0 ? row : other
      next.shift()?.()
    }
  }
  const waitIn = (row: Row) =>
    new Promise<void>((resolve) => {
      row.push(resolve)
      if (waiting() === 1) void serve()
    })
  return {
    nextTurn: () => waitIn(goingOn),
    firstTurn: () => (waiting() > 0 ? waitIn(beginning) : undefined),
    get waiting() {
      return waiting()
    },
  }
}

/** Resolves once the event loop has nothing else to do, or has done other work for some iterations. */
export async function untilQuiet(
  iterate: () => Promise<void> = () => setImmediate(),
  elapsed = () => performance.now(),
): Promise<void> {
  let quiet = 0
  let before = elapsed()
  for (let iteration = 0; iteration < mostIterations && quiet < quietIterations; iteration++) {
    await iterate()
    const now = elapsed()
    quiet = now - before < quietMs ? quiet + 1 : 0
    before = now
  }
}

/**
 * Duration of the report of a refusal, in milliseconds: longer than load balancers and monitors wait between two looks.
 */
const reportedMs = 10_000

/** Owners that share a queue of heavy turns, and its size. */
interface HeavyTurnOptions {
  readonly queue: Pick<TurnQueue, 'waiting'>
  /** Turns that wait before starts are refused; continues at twice as many. */
  readonly max: number
  elapsed(): number
  refused(entry: 'start' | 'continue'): void
}

/** Bounds the heavy turns that share a queue. */
export function boundHeavyTurns({ queue, max, elapsed, refused }: HeavyTurnOptions) {
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    admit(entry: 'start' | 'continue'): boolean {
      if (queue.waiting < (entry === 'start' ? max : max * 2)) return true
      refusedAt = elapsed()
      refused(entry)
      return false
    },
    /** Whether no start would be admitted. */
    get isFull(): boolean {
      return queue.waiting >= max
    },
    get waiting(): number {
      return queue.waiting
    },
    /** How full it is for starts, from 0 to 1. */
    get share(): number {
      return Math.min(1, queue.waiting / max)
    },
    /** Whether one was refused within the last seconds. */
    get hasRefused(): boolean {
      return elapsed() - refusedAt < reportedMs
    },
  }
}

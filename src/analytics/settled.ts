import type { Program } from '../engine/model/program.ts'
import { hourMs } from '../stores/counts/turn-facts.ts'
import { hourOf } from './count-turn.ts'

/** Days are told apart no longer than a week later: whoever is silent for so long has gone. */
const longestIdleMs = 6 * 24 * hourMs

interface Idle {
  readonly program: Program | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
}

/** The hour before which whoever came to wait has gone. */
export function settledHour({ program, now, sessionTtlMs }: Idle): number {
  return hourOf(now - Math.min(program?.timers?.ttlMs ?? sessionTtlMs, longestIdleMs))
}

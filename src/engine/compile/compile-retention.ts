import type { Settings } from '../../../schemas/settings.ts'
import type { Retention } from '../model/program.ts'
import { durationMs } from '../values/duration.ts'

/** The shortest time that anything is kept. */
const leastMs = 60_000

/** How long a flow wants its results to be kept; undefined where it says nothing. */
export function compileRetention({ general }: Settings): Retention | undefined {
  const wanted = Object.entries(general?.retention ?? {})
  if (wanted.length === 0) return undefined
  return Object.fromEntries(wanted.map(([of, time]) => [of, Math.max(leastMs, durationMs(time))]))
}

import type { Ports } from '../../src/ports/ports.ts'

/** The moment at which every test takes place, unless it moves the clock. */
export const fixedNow = Date.parse('2026-11-21T09:17:01.712Z')

export interface FixedPorts extends Ports {
  /** Moves the clock. */
  advance(ms: number): void
}

/** A world in which nothing is left to chance: `session-1`, `result-1`, `id-1`, numbers as given, a clock that stands. */
export function fixedPorts(options: { random?: readonly number[] } = {}): FixedPorts {
  let passed = 0
  const counts = { session: 0, result: 0, value: 0, upload: 0, event: 0 }
  const names = { session: 'session', result: 'result', value: 'id', upload: 'upload', event: 'event' }
  const random = [...(options.random ?? [])]
  return {
    now: () => fixedNow + passed,
    advance: (ms) => {
      passed += ms
    },
    elapsed: () => 0,
    random: () => random.shift() ?? 0,
    createId: (purpose) => `${names[purpose]}-${++counts[purpose]}`,
    nextTurn: () => Promise.resolve(),
    firstTurn: () => undefined,
  }
}

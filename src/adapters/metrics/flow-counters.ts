import type { Metrics } from '../../ports/metrics-port.ts'
import { Counter, type Registry } from './prom-client.ts'

/** Flows that have series of their own. */
const maxNamed = 200

/** The series of all other flows together. */
const otherFlows = 'other'

/** Flows beyond those with a series whose traffic is remembered. */
const maxRemembered = 10_000

const counted = {
  starts: 'Live conversations that were begun, by the public id of their flow',
  completions: 'Live conversations that came to the end of their flow',
  errors: 'Turns, starts and streams of live conversations that left error logs',
}

type Count = keyof typeof counted

interface Tally extends Record<Count, number> {
  /** By which flows are compared. */
  turns: number
}

const newTally = (turns = 0): Tally => ({ turns, starts: 0, completions: 0, errors: 0 })

/** Counts by flow: the first 200 with traffic by their names. */
export function countFlows(registry: Registry, prefix: string): Pick<Metrics, 'turnDone' | 'errorsLeft'> {
  const tallies = new FlowTallies()
  for (const [name, help] of Object.entries(counted)) {
    new Counter({
      name: `${prefix}flow_${name}_total`,
      help,
      labelNames: ['flow'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [flow, tally] of tallies.shown()) this.inc({ flow }, tally[name as Count])
      },
    })
  }
  return {
    turnDone({ flow, entry, isCompleted }) {
      if (flow === undefined) return
      const tally = tallies.ofTurn(flow)
      if (entry === 'start') tally.starts += 1
      if (isCompleted) tally.completions += 1
    },
    errorsLeft(flow) {
      if (flow !== undefined) tallies.of(flow).errors += 1
    },
  }
}

/**
 * A flow without a series whose traffic outgrows that of one with a series takes its place. Its series begins at zero, and
 * what was counted of it before stays with the others, so that no series ever falls but by ending.
 */
class FlowTallies {
  readonly #named = new Map<string, Tally>()
  readonly #others = newTally()
  /** Turns of each flow that is counted with the others. */
  #remembered = new Map<string, number>()

  /** The tally of a flow that has done one more turn. */
  ofTurn(flow: string): Tally {
    const tally = this.#named.get(flow) ?? this.#nameOf(flow)
    tally.turns += 1
    return tally
  }

  of(flow: string): Tally {
    return this.#named.get(flow) ?? this.#others
  }

  shown(): readonly (readonly [flow: string, tally: Tally])[] {
    return [...this.#named, [otherFlows, this.#others]]
  }

  #nameOf(flow: string): Tally {
    if (this.#named.size < maxNamed) return this.#give(flow, 0)
    const turns = (this.#remembered.get(flow) ?? 0) + 1
    if (this.#remembered.size >= maxRemembered) this.#remembered = new Map()
    this.#remembered.set(flow, turns)
    // Compared at 1, 2, 4, 8, …: to go through all with each turn would cost more than the turn's own counting.
    if ((turns & (turns - 1)) !== 0) return this.#others
    const [least, { turns: fewest }] = this.#leastBusy()
    if (turns <= fewest) return this.#others
    this.#named.delete(least)
    this.#remembered.delete(flow)
    this.#remembered.set(least, fewest)
    return this.#give(flow, turns)
  }

  #give(flow: string, turns: number): Tally {
    const tally = newTally(turns)
    this.#named.set(flow, tally)
    return tally
  }

  #leastBusy(): [flow: string, tally: Tally] {
    const [first, ...rest] = this.#named as Iterable<[string, Tally]>
    return rest.reduce(
      (least, one) => (one[1].turns < least[1].turns ? one : least),
      first as [string, Tally],
    )
  }
}

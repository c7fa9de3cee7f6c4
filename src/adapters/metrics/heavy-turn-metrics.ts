import type { Metrics } from '../../ports/metrics-port.ts'
import { createFixedCounter } from './fixed-counter.ts'
import { Gauge, type Registry } from './prom-client.ts'

/** Counts the turns that take longer than a slice of time. */
export interface HeavyTurnMetrics {
  readonly refused: Metrics['heavyTurnRefused']
  /** Asks from now on, whenever the metrics are read, how many of a queue wait. */
  watch(queue: 'previews' | 'others', waiting: () => number): void
}

export function countHeavyTurns(registry: Registry, prefix: string): HeavyTurnMetrics {
  const refused = createFixedCounter(registry, 'turn', ['preview', 'start', 'continue'], {
    name: `${prefix}heavy_turns_refused_total`,
    help: 'Requests refused as too many that take long were waiting to go on',
  })
  const queues = new Map<string, () => number>()
  new Gauge({
    name: `${prefix}heavy_turns_waiting`,
    help: 'Requests that take long and wait to go on',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, waiting] of queues) this.set({ queue }, waiting())
    },
  })
  return {
    refused: (turn) => refused.inc({ turn }),
    watch: (queue, waiting) => void queues.set(queue, waiting),
  }
}

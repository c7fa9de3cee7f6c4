import type { StoreUsage } from '../../ports/known-types.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import { Counter, createFixedCounter, Gauge, type Registry } from './prom-client.ts'

/** Called each time that the metrics are read. */
type GaugeUsage = () => StoreUsage | Promise<StoreUsage>

/** Capacity of a store. */
export interface StoreBound {
  readonly store: string
  readonly bytes: number
}

/** Registers what each store holds. */
export function registerStoreGauges(registry: Registry, prefix: string) {
  const watched = new Map<string, GaugeUsage>()
  const common = { labelNames: ['store'], registers: [registry] }
  const entries = new Gauge({
    ...common,
    name: `${prefix}store_entries`,
    help: 'Entries that a store holds',
  })
  const bytes = new Gauge({
    ...common,
    name: `${prefix}store_bytes`,
    help: 'Bytes that the entries of a store are accounted with',
  })
  const bound = new Gauge({
    ...common,
    name: `${prefix}store_bound_bytes`,
    help: 'Bytes that a store may hold',
  })
  const evictions = new Counter({
    ...common,
    name: `${prefix}store_evictions_total`,
    help: 'Entries of a store that made room for others',
  })
  return {
    showBounds(bounds: readonly StoreBound[]): void {
      for (const { store, bytes: most } of bounds) bound.set({ store }, most)
    },
    watch: (store: string, usage: GaugeUsage) => void watched.set(store, usage),
    /** Asks each store what it holds now. */
    async look(): Promise<void> {
      const found = await Promise.all(
        [...watched].map(async ([store, usage]) => ({ store, ...(await usage()) })),
      )
      evictions.reset()
      for (const { store, ...used } of found) {
        entries.set({ store }, used.entries)
        bytes.set({ store }, used.bytes)
        evictions.inc({ store }, used.evicted)
      }
    },
  }
}

/** Counts the turns that take longer than a slice of time. */
export function countHeavyTurns(registry: Registry, prefix: string) {
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
    refused: (turn: Parameters<Metrics['heavyTurnRefused']>[0]) => refused.inc({ turn }),
    /** Asks from now on, whenever the metrics are read, how many of a queue wait. */
    watch: (queue: 'previews' | 'others', waiting: () => number) => void queues.set(queue, waiting),
  }
}

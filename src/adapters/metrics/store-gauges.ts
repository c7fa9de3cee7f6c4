import type { StoreUsage } from '../../ports/known-types.ts'
import { Counter, Gauge, type Registry } from './prom-client.ts'

/** Called each time that the metrics are read. */
type GaugeUsage = () => StoreUsage | Promise<StoreUsage>

/** Capacity of a store. */
interface StoreBound {
  readonly store: string
  readonly bytes: number
}

/** Registers what each store holds. */
export function registerStoreGauges(registry: Registry, prefix: string) {
  const watched = new Map<string, GaugeUsage>()
  const known = new Map<string, StoreUsage>()
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
  const queues = new Map<string, () => Promise<number>>()
  const waiting = new Gauge({
    name: `${prefix}events_waiting`,
    help: 'Messages that wait to be answered, and events and messages that wait to be sent; at most 50,000 are counted',
    labelNames: ['queue'],
    registers: [registry],
  })
  return {
    /** Adds a queue, whose events are counted each time that the metrics are read. */
    watchQueue: (queue: 'inbox' | 'outbox', count: () => Promise<number>) => void queues.set(queue, count),
    showBounds(bounds: readonly StoreBound[]): void {
      for (const { store, bytes: most } of bounds) bound.set({ store }, most)
    },
    watch: (store: string, usage: GaugeUsage) => void watched.set(store, usage),
    /** Asks each store what it holds now. One that can't say holds what it last did: its failure hides no other metric. */
    async look(): Promise<void> {
      const ask = async ([store, usage]: [string, GaugeUsage]) => known.set(store, await usage())
      const count = async ([queue, counted]: [string, () => Promise<number>]) =>
        waiting.set({ queue }, await counted())
      await Promise.allSettled([...[...watched].map(ask), ...[...queues].map(count)])
      evictions.reset()
      for (const store of watched.keys()) {
        const used = known.get(store)
        if (!used) continue
        entries.set({ store }, used.entries)
        bytes.set({ store }, used.bytes)
        evictions.inc({ store }, used.evicted)
      }
    },
  }
}

import type { StoreUsage } from '../../ports/known-types.ts'
import { Counter, Gauge, type Registry } from './prom-client.ts'

/** Called each time that the metrics are read. */
type GaugeUsage = () => StoreUsage | Promise<StoreUsage>

/** Capacity of a store. */
export interface StoreBound {
  readonly store: string
  readonly bytes: number
}

/** Usage of the stores at the last look. */
export interface Stores {
  watch(store: string, usage: GaugeUsage): void
  showBounds(bounds: readonly StoreBound[]): void
  look(): Promise<void>
}

export function registerStoreGauges(registry: Registry, prefix: string): Stores {
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
    showBounds(bounds) {
      for (const { store, bytes: most } of bounds) bound.set({ store }, most)
    },
    watch: (store, usage) => void watched.set(store, usage),
    async look() {
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

import type { ConnectionUsage } from '../../ports/known-types.ts'
import type { LoadShares } from '../../ports/load-port.ts'
import { Gauge, type Registry } from './prom-client.ts'

type Counts = () => Readonly<Record<string, number>>

/** Identity of a process, for who compares those of one deployment. */
interface Build {
  readonly version: string
  readonly node: string
  readonly backend: 'memory' | 'sqlite' | 'postgres'
}

interface GaugeOptions {
  readonly name: string
  readonly help: string
  readonly label?: string
}

/** Gauges of the process as a whole, read with each look at the metrics: each is there once it was told what to show. */
export function createGauges(registry: Registry, prefix: string) {
  const registers = [registry]
  const add = (
    { name, help, label = '' }: GaugeOptions,
    read: () => number | Readonly<Record<string, number>>,
  ): void => {
    new Gauge({
      name: prefix + name,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      collect() {
        const values = read()
        if (typeof values === 'number') this.set(values)
        else for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number)
      },
    })
  }
  const queues = new Map<string, () => number>()
  const waiting = () => Object.fromEntries(Array.from(queues, ([queue, count]) => [queue, count()]))
  add(
    { name: 'heavy_turns_waiting', help: 'Requests that take long and wait to go on', label: 'queue' },
    waiting,
  )
  return {
    /** Adds a queue of turns that take longer than a slice of time. */
    watchHeavyTurns: (queue: 'previews' | 'others', count: () => number) => void queues.set(queue, count),
    /** Adds a gauge of flow files by their state. */
    watchFlows(count: Counts): void {
      const help =
        'Flow files: published, broken with a last good version that stays published, broken, or without their public id as another file has it'
      add({ name: 'flows', help, label: 'state' }, count)
    },
    watchLoad(shares: () => LoadShares): void {
      const most = () => Math.max(...Object.values(shares()))
      add({ name: 'load', help: 'How busy the process is, from 0 to 1: the largest of its shares' }, most)
      const help =
        'Time that the event loop is busy, memory and waiting turns that take long, each from 0 to what the process can bear, 1'
      add({ name: 'load_share', help, label: 'of' }, () => ({ ...shares() }))
    },
    watchConnections(usage: () => ConnectionUsage): void {
      const help =
        'Connections to the database that are open; one where it is a file, none where all is in memory'
      const open = () => ({ busy: usage().busy, idle: usage().idle })
      add({ name: 'database_connections', help, label: 'state' }, open)
      const ofQueue = 'Statements that wait for a connection to the database'
      add({ name: 'database_waiting', help: ofQueue }, () => usage().waiting)
    },
    showBuild({ version, node, backend }: Build): void {
      new Gauge({
        name: `${prefix}build_info`,
        help: 'Always 1: the version of the service, that of Node, and where conversations are kept',
        labelNames: ['version', 'node', 'backend'],
        registers,
      }).set({ version, node, backend }, 1)
    },
  }
}

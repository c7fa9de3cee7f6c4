import type { ConnectionUsage } from '../../ports/known-types.ts'
import type { LoadShares } from '../../ports/load-port.ts'
import { Gauge, type Registry } from './prom-client.ts'

type FileCounts = () => Readonly<Record<string, number>>

/** Identity of a process, for who compares those of one deployment. */
interface Build {
  readonly version: string
  readonly node: string
  readonly backend: 'memory' | 'sqlite' | 'postgres'
}

/** Gauges of the process as a whole: each is there once it was told what to show. */
export function createServiceGauges(registry: Registry, prefix: string) {
  const registers = [registry]
  return {
    /** Adds a gauge of flow files by their state. */
    watchFlows(count: FileCounts): void {
      new Gauge({
        name: `${prefix}flows`,
        help: 'Flow files: published, broken with a last good version that stays published, broken, or without their public id as another file has it',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, files] of Object.entries(count())) this.set({ state }, files)
        },
      })
    },
    watchLoad(shares: () => LoadShares): void {
      new Gauge({
        name: `${prefix}load`,
        help: 'How busy the process is, from 0 to 1: the largest of its shares',
        registers,
        collect() {
          this.set(Math.max(...Object.values(shares())))
        },
      })
      new Gauge({
        name: `${prefix}load_share`,
        help: 'Time that the event loop is busy, memory and waiting turns that take long, each from 0 to what the process can bear, 1',
        labelNames: ['of'],
        registers,
        collect() {
          for (const [of, share] of Object.entries(shares())) this.set({ of }, share)
        },
      })
    },
    watchConnections(usage: () => ConnectionUsage): void {
      new Gauge({
        name: `${prefix}database_connections`,
        help: 'Connections to the database that are open; one where it is a file, none where all is in memory',
        labelNames: ['state'],
        registers,
        collect() {
          const { busy, idle } = usage()
          this.set({ state: 'busy' }, busy)
          this.set({ state: 'idle' }, idle)
        },
      })
      new Gauge({
        name: `${prefix}database_waiting`,
        help: 'Statements that wait for a connection to the database',
        registers,
        collect() {
          this.set(usage().waiting)
        },
      })
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

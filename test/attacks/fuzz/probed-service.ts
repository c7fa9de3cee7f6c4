import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'

/** What the service holds once its garbage is collected, in bytes; and what was put on the prototypes of everything. */
export interface Held {
  readonly heapUsed: number
  readonly external: number
  readonly polluted: readonly string[]
}

/** A service that tells how it is. */
export interface ProbedService extends Pick<BuiltService, 'address' | 'stop'> {
  /** What it has told its operator as an error so far. */
  readonly errors: readonly string[]
  /** The long stops of its event loop so far, in units of work of about a millisecond. */
  readonly stops: readonly number[]
  /** Resolves once the log has come to the request of this id: what was told before it has then been read. */
  logged(requestId: string): Promise<void>
  /** Bytes of memory that the system gave it, where the system tells. */
  residentBytes(): number | undefined
  /** Collects its garbage. */
  measure(): Promise<Held>
}

/** A build, and what it is started with. */
export interface Build {
  /** Where `npm run build` was called. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
}

/** Starts what `npm run build` has made. `onExit` is called when it ends before it is stopped. */
export async function startProbedService(
  { folder, variables }: Build,
  onExit: (code: number | null) => void,
): Promise<ProbedService> {
  const errors: string[] = []
  const stops: number[] = []
  const awaited = new Map<string, () => void>()
  const onLine = (line: string) => {
    const { level, probe, requestId } = JSON.parse(line)
    awaited.get(requestId)?.()
    if (probe?.stop !== undefined) stops.push(probe.stop)
    else if (level >= 50) errors.push(line)
  }
  const args = [
    '--expose-gc',
    '--import',
    join(import.meta.dirname, 'probe.js'),
    resolve(folder, 'dist/bin/flow-runtime.js'),
  ]
  const { address, child, report, stop } = await startBuiltService({ ...variables }, { args, onLine })
  child.once('exit', onExit)
  process.once('exit', () => child.kill())
  // What is remarked on the published flows belongs to them.
  errors.length = 0
  stops.length = 0
  return {
    address,
    errors,
    stops,
    logged: (requestId) =>
      new Promise((resolve) => {
        awaited.set(requestId, () => {
          awaited.delete(requestId)
          resolve()
        })
      }),
    residentBytes: () => residentBytes(child.pid),
    measure: () => report<Held>(),
    stop() {
      child.off('exit', onExit)
      return stop()
    },
  }
}

function residentBytes(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}

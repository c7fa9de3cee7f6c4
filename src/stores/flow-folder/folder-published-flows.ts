import { setTimeout as delay } from 'node:timers/promises'
import type { FlowState } from '../../../schemas/flow-state.ts'
import type { PublishedFlows } from '../published-flows.ts'
import { coalesce } from './coalesce.ts'
import { createFlowFolder, type FlowFolder, type FlowFolderOptions } from './folder-scan.ts'
import { watchFolder } from './watch-folder.ts'

/** In milliseconds. */
export interface FolderTiming {
  /** How long changes are gathered before the folder is scanned. */
  readonly debounceMs: number
  /** How long a broken file gets to become whole before it is looked at again. */
  readonly retryMs: number
  /** How often the folder is scanned though nothing was noticed. */
  readonly rescanMs: number
  /** How often a folder that is missing is looked for: one that is swapped or mounted anew is back in a moment. */
  readonly missingMs: number
}

const defaultTiming: FolderTiming = { debounceMs: 100, retryMs: 150, rescanMs: 15_000, missingMs: 250 }

/** How often a file that goes on changing, and is broken each time, is looked at before it is reported. */
const mostScans = 10

export interface FolderOptions extends FlowFolderOptions {
  readonly timing?: FolderTiming
}

export interface FolderPublishedFlows extends PublishedFlows {
  /** Scans the folder now. Resolves once everything that was there at the call is published or reported. */
  rescan(): Promise<void>
  /** Why no flows could be read at the last scan, for load balancers; empty when they could. */
  problems(): readonly string[]
  /** What has become of each file, in the order of the names; of many that come at the start, findings come later. */
  states(): readonly FlowState[]
  /** Resolves once the findings of those are there. */
  inspected(): Promise<void>
}

/**
 * Publishes every `*.json` of a folder, and follows its changes. Resolves once all of them are served; many are inspected
 * only then.
 *
 * The public id of a flow is its `publicId`, else the name of its file without `.json`; of two files with one public
 * id the first by name has it. A file that is broken keeps its last good version, and is reported once it stays so.
 * Whatever becomes of the folder, nothing rejects: the last flows stay while it is missing or can't be read.
 */
export async function createFolderPublishedFlows(options: FolderOptions): Promise<FolderPublishedFlows> {
  const { folder, report, timing = defaultTiming } = options
  const flows = createFlowFolder(options)
  const closing = new AbortController()
  const rescan = coalesce(async () => {
    if (closing.signal.aborted) return
    // Before looking: what changes in between is then noticed.
    await watch.renew()
    await scanUntilSettled(flows, timing.retryMs, closing.signal)
  })
  const watch = watchFolder({ ...timing, folder, report, onChange: rescan })
  await rescan()
  return {
    byPublicId: (publicId) => flows.index.byPublicId(publicId),
    byFlowId: (flowId) => flows.index.byFlowId(flowId),
    list: () => flows.index.list(),
    rescan,
    problems: flows.problems,
    states: flows.states,
    inspected: flows.inspected,
    async close() {
      closing.abort()
      watch.close()
      flows.close()
      await rescan()
      await flows.inspected()
    },
  }
}

/** A file that is broken may be half written: it is reported when a second scan finds it the same. */
async function scanUntilSettled(flows: FlowFolder, retryMs: number, closing: AbortSignal): Promise<void> {
  await flows.scan()
  for (let scans = 1; flows.unreported() !== ''; scans++) {
    const before = flows.unreported()
    // This timer keeps the process alive on purpose: at the start there may be nothing else that does.
    await delay(retryMs, undefined, { signal: closing }).catch(() => undefined)
    if (closing.aborted) return
    await flows.scan()
    if (flows.unreported() === before || scans === mostScans) flows.reportProblems()
  }
}

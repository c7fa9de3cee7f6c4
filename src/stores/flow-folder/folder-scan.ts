import type { FlowState } from '../../../schemas/flow-state.ts'
import { describeFiles } from './flow-states.ts'
import { createFolderLog } from './folder-log.ts'
import { createFlowFiles, type FlowFilesOptions } from './loaded-files.ts'
import { indexPublishedFlows, type PublishedIndex } from './published-index.ts'
import { listFlowFiles } from './read-flow-file.ts'

/** A folder of flow files as it was when it was last scanned. */
export interface FlowFolder {
  /** Scans the folder again. Never rejects. */
  scan(): Promise<void>
  /** Resolves once all flows are inspected that were published at once at the start. */
  inspected(): Promise<void>
  /** Ends that. */
  close(): void
  /** Names what is wrong with files and has not been reported; empty when all is well or reported. */
  unreported(): string
  /** Reports what is wrong with files, each thing once. */
  reportProblems(): void
  /** Why no flows could be read at the last scan, for load balancers; empty when they could. */
  problems(): readonly string[]
  /** What has become of each file, in the order of the names. */
  states(): readonly FlowState[]
  readonly index: PublishedIndex
}

export interface FlowFolderOptions extends FlowFilesOptions {
  /** Whether there are flows from elsewhere, so that the folder may be missing; else it has to be there. */
  areOthersPublished?(): boolean
}

/** Flows that are logged one by one at the start; more would bury what else is logged then. */
const announcedAtStart = 50

export function createFlowFolder(options: FlowFolderOptions): FlowFolder {
  const { folder } = options
  const files = createFlowFiles(options)
  const report = createFolderLog(folder, options.report)
  const closing = new AbortController()
  let hasLooked = false
  let inspected = Promise.resolve()
  let index = indexPublishedFlows([])
  let state: 'missing' | 'unreadable' | undefined
  async function inspectLate(): Promise<void> {
    await files.inspectLate(closing.signal)
    if (!closing.signal.aborted) report.summed(files.read())
  }

  return {
    inspected: () => inspected,
    close: () => closing.abort(),
    async scan() {
      try {
        const names = await listFlowFiles(folder)
        report.listed(names)
        state = names ? undefined : 'missing'
        // A folder that is swapped or mounted anew is missing for a moment: what it held stays published.
        if (names) await files.keepOnly(names)
        const isSummed = !hasLooked && (names?.length ?? 0) > announcedAtStart
        if (names) await files.refresh(names, { isSummed })
        if (isSummed) inspected = inspectLate()
        hasLooked = true
      } catch (error) {
        report.unreadable(error)
        state = 'unreadable'
      }
      const published = files.published()
      index = indexPublishedFlows(published.values())
      report.shadowed(index.shadowed, published)
    },
    unreported: files.unreported,
    reportProblems: files.reportProblems,
    problems() {
      if (state === 'unreadable') return ['The folder of the flows can not be read']
      // What was published before is served on, and all who serve from one folder would be missing at once.
      const isBare = state === 'missing' && files.published().size === 0 && !options.areOthersPublished?.()
      return isBare ? ['The folder of the flows does not exist'] : []
    },
    states: () => describeFiles(files.read().filter(({ flow, problems }) => flow || problems.length > 0)),
    get index() {
      return index
    },
  }
}

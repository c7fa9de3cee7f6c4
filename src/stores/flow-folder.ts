import { listFlowFiles } from './flow-file.ts'
import { createFlowFiles, type FlowFilesOptions } from './flow-files.ts'
import { createFolderReport } from './folder-report.ts'
import { indexPublishedFlows, type PublishedIndex } from './published-index.ts'

/** A folder of flow files as it was when it was last looked at. */
export interface FlowFolder {
  /** Looks at the folder again. Never rejects. */
  look(): Promise<void>
  /** Names what is wrong with files and has not been told; empty when all is well or told. */
  untold(): string
  /** Tells what is wrong with files, each thing once. */
  tell(): void
  readonly index: PublishedIndex
}

export function createFlowFolder(options: FlowFilesOptions): FlowFolder {
  const { folder } = options
  const files = createFlowFiles(options)
  const report = createFolderReport(folder, options.report)
  let index = indexPublishedFlows([])
  return {
    async look() {
      try {
        const names = await listFlowFiles(folder)
        report.listed(names)
        // A folder that is swapped or mounted anew is missing for a moment: what it held stays published.
        if (names) await files.keepOnly(names)
        for (const name of names ?? []) await files.refresh(name)
      } catch (error) {
        report.unreadable(error)
      }
      const published = files.published()
      index = indexPublishedFlows(published.values())
      report.shadowed(index.shadowed, published)
    },
    untold: files.untold,
    tell: files.tell,
    get index() {
      return index
    },
  }
}

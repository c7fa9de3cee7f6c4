import { join } from 'node:path'
import type { FindingSummary } from '../../../schemas/flow-state.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { PublishedFlow } from '../published-flows.ts'
import type { ReadFile } from './flow-states.ts'
import { createProblemLog } from './problem-log.ts'
import { createFlowPublisher, type PublisherOptions } from './publish-flow.ts'
import { type FlowFile, readFlowFile } from './read-flow-file.ts'

export interface FlowFilesOptions extends PublisherOptions {
  readonly folder: string
}

/** The files of a folder as far as they have been read, each with its last good version. */
export interface FlowFiles {
  /**
   * Reads those that changed, and keeps their definitions in one go. What is wrong with one is remembered, and not
   * reported yet: it may be half written.
   */
  refresh(names: readonly string[], scan: Scan): Promise<void>
  /** Finds what the authors of flows should know that were published without it, until the signal. Never rejects. */
  inspectLate(signal: AbortSignal): Promise<void>
  /** Withdraws the flows of the files that are not named. */
  keepOnly(names: readonly string[]): Promise<void>
  /** Names what is wrong and has not been reported; empty when all is well or reported. */
  unreported(): string
  /** Reports what is wrong, each thing once. */
  reportProblems(): void
  /** The last good versions by file, in the order of the file names. */
  published(): ReadonlyMap<string, PublishedFlow>
  /** Every file, in the order of the names. */
  read(): readonly ReadFile[]
}

/** How a scan of the folder is logged. */
export interface Scan {
  /** Whether the flows that it publishes are logged together, with their flaws, and are inspected once all are served. */
  readonly isSummed: boolean
}

interface GoodVersion {
  readonly flow: PublishedFlow
  readonly textHash: string
  /** Undefined until it was inspected. */
  readonly findings: readonly FindingSummary[] | undefined
}

interface KnownFile {
  /** Undefined: only reading the file can show whether it changed. */
  readonly signature?: string | undefined
  /** The last good version. */
  readonly published?: GoodVersion | undefined
}

/** Files that are read at once: to wait for each by itself takes longer than what is made of it. */
const readAtOnce = 16

export function createFlowFiles(options: FlowFilesOptions): FlowFiles {
  const { folder, report } = options
  const publisher = createFlowPublisher(options)
  const complaints = createProblemLog(report)
  const files = new Map<string, KnownFile>()

  async function update(name: string, file: FlowFile, { isSummed }: Scan): Promise<KnownFile> {
    const known = files.get(name) ?? {}
    const { signature, text } = file
    const textHash = contentHash(text)
    if (known.published?.textHash === textHash) {
      complaints.settle(name)
      return { ...known, signature }
    }
    let flow: PublishedFlow
    try {
      flow = publisher.compile(name, file)
    } catch (error) {
      complaints.about(name, error, textHash)
      return { ...known, signature }
    }
    await publisher.keep(flow, text)
    const findings = isSummed ? undefined : await publisher.inspect(name, flow, true)
    complaints.settle(name)
    if (known.published) await publisher.retire(known.published.flow)
    return { signature, published: { flow, textHash, findings } }
  }

  async function withdraw(name: string, { published }: KnownFile): Promise<void> {
    files.delete(name)
    complaints.settle(name)
    if (!published) return
    await publisher.retire(published.flow)
    report.info({ file: name, publicId: published.flow.publicId }, 'flow withdrawn: its file has gone')
  }

  async function refresh(name: string, reading: Promise<FlowFile | undefined>, scan: Scan): Promise<void> {
    try {
      const file = await reading
      if (file) files.set(name, await update(name, file, scan))
    } catch (error) {
      // What failed on the way to a verdict may succeed the next time: the file is then read whatever it looks like.
      complaints.about(name, error, '')
      files.set(name, { ...files.get(name), signature: undefined })
    }
  }

  async function inspectLate(name: string, published: GoodVersion): Promise<void> {
    try {
      const findings = await publisher.inspect(name, published.flow, false)
      const file = files.get(name)
      // It may have changed meanwhile, and was inspected then.
      if (file?.published === published) files.set(name, { ...file, published: { ...published, findings } })
    } catch (error) {
      complaints.about(name, error, '')
    }
  }

  return {
    async refresh(names, scan) {
      const updates: Promise<void>[] = []
      for (let first = 0; first < names.length; first += readAtOnce) {
        const batch = names.slice(first, first + readAtOnce)
        const readings = batch.map((name) => readFlowFile(join(folder, name), files.get(name)?.signature))
        await Promise.allSettled(readings)
        for (const [index, name] of batch.entries())
          updates.push(refresh(name, readings[index] as (typeof readings)[0], scan))
      }
      await Promise.all(updates)
    },
    async inspectLate(signal) {
      for (const [name, { published }] of [...files]) {
        if (signal.aborted) return
        if (published && !published.findings) await inspectLate(name, published)
      }
    },
    async keepOnly(names) {
      const kept = new Set(names)
      for (const [name, known] of files) if (!kept.has(name)) await withdraw(name, known)
    },
    unreported: complaints.unreported,
    reportProblems: () => complaints.report((name) => files.get(name)?.published !== undefined),
    published: () => publishedOf(files),
    read: () =>
      namesOf(files).map((file) => {
        const { flow, findings = [] } = files.get(file)?.published ?? {}
        return { file, flow, findings, problems: complaints.problemsOf(file) }
      }),
  }
}

const namesOf = (files: ReadonlyMap<string, unknown>) => [...files.keys()].sort()

function publishedOf(files: ReadonlyMap<string, KnownFile>): ReadonlyMap<string, PublishedFlow> {
  const good = new Map<string, PublishedFlow>()
  for (const name of namesOf(files)) {
    const published = files.get(name)?.published
    if (published) good.set(name, published.flow)
  }
  return good
}

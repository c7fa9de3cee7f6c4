import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FlowState } from '../../../schemas/flow-state.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { flowFileEndings, flowFileName, isYamlFlow } from '../../definition/read-flow-text.ts'
import { invalidInput } from '../../lib/errors.ts'
import { coalesce } from '../../lib/semaphore.ts'
import type { PublicationFacts } from '../../stores/published-flows.ts'
import type { FlowHead } from '../catalogue/checked-flows.ts'
import type { FlowCatalogue } from '../catalogue/flow-catalogue.ts'
import type { PublicationLog } from '../catalogue/flow-shelf.ts'
import type { OfferedFlow } from '../catalogue/shelved-flow.ts'
import type { CompiledYaml } from './compile-yaml.ts'
import { readPublishedAt } from './published-at.ts'
import { type FlowFile, listFlowFiles, readFlowFile } from './read-flow-file.ts'
import { openYamlBatch, readYamlFlow, type YamlBatch } from './read-yaml-flow.ts'
import { type WatchTiming, watchFolder } from './watch-folder.ts'

/** In milliseconds. */
interface FolderTiming extends WatchTiming {
  /** How long a broken file gets to become whole before it is looked at again. */
  readonly retryMs: number
}

const usualTiming: FolderTiming = { debounceMs: 100, retryMs: 150, rescanMs: 15_000, missingMs: 250 }

/** How often a file that goes on changing, and is broken each time, is looked at before it is reported. */
const mostScans = 10

/** Files that are read at once: to wait for each by itself takes longer than what is made of it. */
const readAtOnce = 16

/** Flows in YAML that come at once and are compiled in a thread beside this one; fewer take less than a thread does to start. */
const manyYaml = 50

export interface FlowFolderOptions {
  readonly folder: string
  readonly catalogue: Pick<FlowCatalogue, 'files' | 'update' | 'states'>
  readonly report: PublicationLog
  readonly timing?: FolderTiming | undefined
}

const fate = 'flows stay as they are'

/** A file as it was last read. */
type KnownFile = Omit<FlowFile, 'text'> & { readonly hash: string }

/**
 * Publishes every `*.json` and `*.flow.yaml` of a folder in the catalogue, and follows its changes. Resolves once all of
 * them are served; many are inspected only then.
 *
 * The public id of a flow is its `publicId`, else the name of its file without that ending; of two files with one public
 * id the first by name has it. A file that is broken keeps its last good version, and is reported once it stays so.
 * Whatever becomes of the folder, nothing rejects: the last flows stay while it is missing or can't be read.
 */
export async function openFlowFolder(options: FlowFolderOptions): Promise<FlowFolder> {
  const folder = new FlowFolder(options)
  await folder.rescan()
  return folder
}

/** Publishes files of a folder. */
export class FlowFolder {
  readonly #options: FlowFolderOptions
  readonly #timing: FolderTiming
  readonly #closing = new AbortController()
  readonly #known = new Map<string, KnownFile>()
  /** Reason why the last scan read nothing, which is reported once for as long as it lasts. */
  #trouble = ''
  readonly #watch: ReturnType<typeof watchFolder>
  /** Scans the folder now. Resolves once everything that was there at the call is published or reported. */
  readonly rescan: () => Promise<void>

  constructor(options: FlowFolderOptions) {
    this.#options = options
    this.#timing = options.timing ?? usualTiming
    this.rescan = coalesce(async () => {
      if (this.#closing.signal.aborted) return
      // Before looking: what changes in between is then noticed.
      await this.#watch.renew()
      await this.#scanUntilSettled()
    })
    const { folder, report } = options
    this.#watch = watchFolder({ ...this.#timing, folder, report, onChange: this.rescan })
  }

  /** Why no flows could be read at the last scan, for load balancers; empty when they could. */
  problems(): readonly string[] {
    if (this.#trouble.startsWith('unreadable')) return ['The folder of the flows can not be read']
    // What was published before is served on, and all who serve from one folder would be missing at once.
    const isPublished = ({ file, state }: FlowState) => file === undefined || state !== 'broken'
    const isBare = this.#trouble === 'missing' && !this.#options.catalogue.states().some(isPublished)
    return isBare ? ['The folder of the flows does not exist'] : []
  }

  /** Ends following the folder. Nothing is published or logged afterwards. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#watch.close()
    await this.rescan()
  }

  /** A file that is broken may be half written: it is reported when a second scan finds it the same. */
  async #scanUntilSettled(): Promise<void> {
    const { files } = this.#options.catalogue
    const { signal } = this.#closing
    await this.#scan()
    for (let scans = 1; files.unreported() !== ''; scans++) {
      const before = files.unreported()
      // This timer keeps the process alive on purpose: at the start there may be nothing else that does.
      await delay(this.#timing.retryMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.#scan()
      if (files.unreported() === before || scans === mostScans) files.reportProblems()
    }
  }

  async #scan(): Promise<void> {
    const { folder, catalogue, report } = this.#options
    const before = this.#trouble
    try {
      const names = await listFlowFiles(folder, flowFileEndings)
      this.#trouble = names ? '' : 'missing'
      if (names) await this.#take(names)
      else if (this.#trouble !== before)
        report.warn({ folder }, `folder of the published flows does not exist: ${fate} until it does`)
    } catch (err) {
      this.#trouble = `unreadable: ${err}`
      if (this.#trouble !== before)
        report.error({ folder, err }, `folder of the published flows can not be read: ${fate}`)
    }
    catalogue.update()
  }

  async #take(names: readonly string[]): Promise<void> {
    const { folder, catalogue } = this.#options
    const offers: OfferedFlow[] = []
    const isMany = names.filter((name) => isYamlFlow(name) && !this.#known.has(name)).length > manyYaml
    const batch = isMany ? openYamlBatch() : undefined
    for (let first = 0; first < names.length; first += readAtOnce) {
      const few = names.slice(first, first + readAtOnce)
      offers.push(...(await Promise.all(few.map((name) => this.#offer(name, batch)))))
    }
    const kept = new Set(names)
    for (const name of this.#known.keys()) if (!kept.has(name)) this.#known.delete(name)
    await catalogue.files.load(offers, { folder, files: names.length })
    await batch?.close()
  }

  async #offer(name: string, batch: YamlBatch | undefined): Promise<OfferedFlow> {
    const known = this.#known.get(name)
    const path = join(this.#options.folder, name)
    const place = { key: name, label: { file: name } }
    try {
      const file = await readFlowFile(path, known?.signature)
      const { signature, modifiedAt, hash } = file
        ? { ...file, hash: contentHash(file.text) }
        : (known as KnownFile)
      const isNew = known?.hash !== hash
      this.#known.set(name, { signature, modifiedAt, hash })
      const written = async () => (file ?? (await readFlowFile(path, undefined)))?.text
      const begin = () => (file && isNew ? batch?.begin(file.text) : undefined)
      const inForm = isYamlFlow(name) ? ofYaml({ name, path, hash, begin }, written) : { text: written }
      return { ...place, hash, ...inForm, factsOf: (flow) => flow && factsOf(flow, name, modifiedAt) }
    } catch (error) {
      this.#known.delete(name)
      return { ...place, hash: undefined, text: () => Promise.reject(error), factsOf: () => undefined }
    }
  }
}

interface YamlFile {
  readonly name: string
  readonly path: string
  readonly hash: string
  /** Undefined for one that is compiled once it is asked for. */
  begin(): Promise<CompiledYaml> | undefined
}

/** A file in YAML: its definition as JSON, and what lies where. */
function ofYaml(
  { name, path, hash, begin }: YamlFile,
  written: () => Promise<string | undefined>,
): Pick<OfferedFlow, 'begin' | 'text' | 'locate' | 'written'> {
  let compiled: Promise<CompiledYaml> | undefined
  const now = async () => (await readFlowFile(path, undefined).catch(() => undefined))?.text
  return {
    written: now,
    begin() {
      compiled = begin()
    },
    async text() {
      const text = compiled ? '' : await written()
      if (text === undefined) return undefined
      const { json, problems } = await (compiled ?? readYamlFlow(text))
      if (json !== undefined) return json
      throw invalidInput(
        problems.map(({ message, place }) => ({ pointer: '', message, place: `${name}:${place}` })),
      )
    },
    // Its text is not held for that: most have no findings.
    async locate(pointers) {
      const text = await now()
      if (text === undefined || contentHash(text) !== hash) return []
      return (await readYamlFlow(text, pointers)).places.map((place) => `${name}:${place}`)
    },
  }
}

function factsOf(
  { publicId, updatedAt, isClosed, isArchived }: FlowHead,
  file: string,
  modifiedAt: number,
): PublicationFacts {
  return {
    publicId: publicId || flowFileName(file),
    publishedAt: readPublishedAt(updatedAt, modifiedAt),
    isClosed: isClosed === true,
    isArchived: isArchived === true,
  }
}

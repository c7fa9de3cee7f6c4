import type { FlowState } from '../../../schemas/flow-state.ts'
import { coalesce } from '../../lib/semaphore.ts'
import type { DefinitionStore } from '../../stores/definition-store.ts'
import type { CatalogueEntry, FlowTable } from '../../stores/flow-table.ts'
import type { PublishedFlow, PublishedFlows } from '../../stores/published-flows.ts'
import { type FlowMaker, FlowShelf } from './flow-shelf.ts'
import { describeFlows } from './flow-states.ts'
import type { OfferedFlow, ShelvedFlow } from './shelved-flow.ts'

interface FlowCatalogueOptions extends FlowMaker {
  /** Flows that are published over HTTP. */
  readonly table: FlowTable
  /** Keeps definitions of flow files; those of the table are kept there. */
  readonly definitions: Pick<DefinitionStore, 'getAll' | 'retain' | 'release'>
  /** Names all that decides whether the text of a file is good; undefined where each is read at every start. */
  readonly build?: string | undefined
}

/** Flows that visitors can start, wherever they come from. */
export interface FlowCatalogue extends PublishedFlows {
  /** Flows of files; to be followed by a call of `update`. */
  readonly files: FlowShelf
  /** Serves what is on the shelves now. */
  update(): void
  /** Serves what the table has now: all of it, or of these public ids. What is resolved has been looked up after the call. */
  refresh(publicIds?: readonly string[]): Promise<void>
  /** State of each file, in the order of the names, then of each flow of the table, in that of the public ids. */
  states(): readonly FlowState[]
  /** The text of the file that a flow comes from, as its author writes it now; undefined where that is the definition. */
  written(publicId: string): Promise<string | undefined>
  /** Resolves once the findings of all flows are among them: of many that come at the start, they are found by the first call. */
  inspected(): Promise<void>
}

/**
 * Serves the flows of a table, follows what other processes change there, and takes in those of files, which come first.
 * Resolves once the flows of the table are served. Files are for this process alone: others have theirs from their own
 * folder, so that builds which run beside each other never change each other's flows.
 */
export async function openFlowCatalogue(options: FlowCatalogueOptions): Promise<FlowCatalogue> {
  const { table, definitions, build, ...maker } = options
  const { report } = maker
  const files = new FlowShelf({
    ...maker,
    definitions,
    build,
    words: wordsOfFiles,
  })
  const published = new FlowShelf({ ...maker, words: wordsOfTable })
  const reportShadows = createShadowReport(report)
  let index = indexFlows([])
  /** Public ids to look up; undefined for all. */
  let due: Set<string> | undefined

  const places = () => [...files.places(), ...published.places()]

  function update(): void {
    index = indexFlows(places())
    reportShadows(index.shadowed)
  }

  const lookUp = coalesce(async () => {
    const publicIds = due && due.size <= mostSingly ? [...due] : undefined
    due = new Set()
    try {
      const entries = publicIds ? await Promise.all(publicIds.map(table.find)) : await table.list()
      const offers = entries.flatMap((entry) => (entry ? offerOf(entry, table) : []))
      await published.load(offers, { flows: entries.length }, publicIds)
      for (const { key } of offers) if (isUnread(published.place(key))) due?.add(key)
    } catch (error) {
      due = undefined
      throw error
    }
    published.reportProblems(publicIds)
    if (!publicIds) return update()
    for (const publicId of publicIds) replace(index, publicId, published.place(publicId)?.flow)
  })

  function refresh(publicIds?: readonly string[]): Promise<void> {
    if (publicIds) for (const publicId of publicIds) due?.add(publicId)
    else due = undefined
    return lookUp()
  }

  await refresh()
  const stop = table.follow((publicIds) =>
    refresh(publicIds).catch((err: unknown) => {
      report.warn({ err }, 'published flows could not be looked up: the last ones stay')
      throw err
    }),
  )
  return {
    byPublicId: async (publicId) => index.byPublicId.get(publicId),
    byFlowId: async (flowId) => index.byFlowId.get(flowId)?.[0] ?? index.byPublicId.get(flowId),
    async list() {
      await files.compiled()
      if (!index.isInOrder) update()
      return [...index.byPublicId.values()]
    },
    files,
    update,
    refresh,
    states: () => describeFlows(places()),
    async written(publicId) {
      const served = index.byPublicId.get(publicId)
      return files
        .places()
        .find(({ flow }) => flow !== undefined && flow === served)
        ?.written?.()
    },
    async inspected() {
      await Promise.all([files.inspected(), published.inspected()])
    },
    async close() {
      await Promise.all([stop(), files.close(), published.close()])
    },
  }
}

const wordsOfFiles = {
  broken: 'flow file is broken',
  keepsLast: 'its last good version stays published',
  gone: 'flow withdrawn: its file has gone',
}

const wordsOfTable = {
  broken: "version of a flow can't be run by this build",
  keepsLast: 'the last one that could be stays published',
  gone: 'flow withdrawn: it was deleted',
}

/** A flow that can't be found, as another has its public id. */
interface Shadowed {
  readonly flow: PublishedFlow
  readonly by: PublishedFlow
}

/** Reports files whose public id another has, once for as long as that lasts. */
function createShadowReport(report: FlowMaker['report']): (shadowed: readonly Shadowed[]) => void {
  let reported = new Set<string>()
  return (shadowed) => {
    const shadows = new Set<string>()
    for (const { flow, by } of shadowed) {
      if (flow.file === undefined) continue
      const shadow = { file: flow.file, publicId: flow.publicId, publishedFrom: by.file }
      const key = JSON.stringify(shadow)
      shadows.add(key)
      if (!reported.has(key))
        report.warn(shadow, 'two flow files have one public id: the first by name is published')
    }
    reported = shadows
  }
}

function offerOf(entry: CatalogueEntry, table: Pick<FlowTable, 'definition'>): OfferedFlow {
  const { publicId, version, hash, publishedBy, isClosed, isArchived } = entry
  const publishedAt = new Date(entry.publishedAt).toISOString()
  return {
    key: publicId,
    label: { publicId, version, hash, publishedBy },
    hash,
    text: () => table.definition(hash),
    factsOf: () => ({ publicId, publishedAt, isClosed, isArchived }),
  }
}

const isUnread = (place?: ShelvedFlow) => place?.failure !== undefined && place.failure.hash === undefined

/** Flows that are looked up one by one; of more, all are. */
const mostSingly = 16

/** Takes into an index what the table has of a public id now. What a file has it for stays. */
function replace(index: FlowIndex, publicId: string, flow: PublishedFlow | undefined): void {
  const { byPublicId, byFlowId } = index
  const before = byPublicId.get(publicId)
  if (before?.file !== undefined || before === flow) return
  if (before) {
    const left = byFlowId.get(before.flow.id)?.filter((other) => other !== before) ?? []
    if (left.length > 0) byFlowId.set(before.flow.id, left)
    else byFlowId.delete(before.flow.id)
  }
  if (!flow) return void byPublicId.delete(publicId)
  byPublicId.set(publicId, flow)
  if (!before) index.isInOrder = false
  const others = byFlowId.get(flow.flow.id) ?? []
  const next = others.findIndex(({ file, publicId: other }) => file === undefined && other > publicId)
  byFlowId.set(flow.flow.id, others.toSpliced(next === -1 ? others.length : next, 0, flow))
}

type FlowIndex = ReturnType<typeof indexFlows>

/** Flows by either id, and those that can't be found as another has their public id. The order that they come in decides. */
function indexFlows(places: readonly Pick<ShelvedFlow, 'flow' | 'head'>[]) {
  const byPublicId = new Map<string, PublishedFlow>()
  /** In the order that decides which is found: a deleted one makes room for the next without a look at all. */
  const byFlowId = new Map<string, PublishedFlow[]>()
  const shadowed: Shadowed[] = []
  for (const { flow, head } of places) {
    if (!flow || !head) continue
    const by = byPublicId.get(flow.publicId)
    if (by) {
      shadowed.push({ flow, by })
      continue
    }
    byPublicId.set(flow.publicId, flow)
    const others = byFlowId.get(head.id)
    if (others) others.push(flow)
    else byFlowId.set(head.id, [flow])
  }
  return { byPublicId, byFlowId, shadowed, isInOrder: true }
}

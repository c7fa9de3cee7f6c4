import type { Flow } from '../../../schemas/flow.ts'
import type { FindingSummary, FlowState } from '../../../schemas/flow-state.ts'
import type { Program } from '../../engine/model/program.ts'
import { type Problem, problemsOf } from '../../lib/errors.ts'
import { coalesce } from '../flow-folder/coalesce.ts'
import { nameOf } from '../flow-folder/flow-states.ts'
import type { PublicationLog } from '../flow-folder/publication-log.ts'
import { indexPublishedFlows } from '../flow-folder/published-index.ts'
import type { PublishedFlow, PublishedFlows } from '../published-flows.ts'
import type { CatalogueEntry, FlowCatalogue } from './flow-catalogue.ts'

export interface CatalogueFlowsOptions {
  readonly catalogue: FlowCatalogue
  /** Makes a flow of a definition's text. Throws for one that this build can't run. */
  publish(text: string): { readonly flow: Flow; readonly program: Program }
  /** Finds what the author of a flow should know about it. */
  inspect(flow: Flow, program: Program): Promise<readonly FindingSummary[]>
  readonly report: PublicationLog
}

export interface CataloguePublishedFlows extends PublishedFlows {
  /** Serves what is published now. What is resolved has been looked up after the call. */
  refresh(): Promise<void>
  /** What has become of each flow, in the order of the public ids. */
  states(): readonly FlowState[]
}

/** A flow as far as it could be compiled. */
interface LoadedFlow {
  readonly entry: CatalogueEntry
  /** The last one that could be compiled. */
  readonly flow: PublishedFlow | undefined
  readonly findings: readonly FindingSummary[]
  /** Why the version that is to be served is not; empty when it is. */
  readonly problems: readonly Problem[]
}

/** Flows that are loaded at once: to wait for the definition and the findings of each by itself takes longer. */
const loadedAtOnce = 16

/** Findings of one flow that are shown. */
const shownFindings = 100

/**
 * Serves the flows of a catalogue, and follows what other processes publish there. Resolves once all are compiled. A
 * version that was published by a build which could run it, and which this one can't, leaves the last one that it could.
 */
export async function createCataloguePublishedFlows(
  options: CatalogueFlowsOptions,
): Promise<CataloguePublishedFlows> {
  const { catalogue, report } = options
  let loaded = new Map<string, LoadedFlow>()
  let index = indexPublishedFlows([])

  const refresh = coalesce(async () => {
    const next = await loadAll(await catalogue.list(), loaded, options)
    for (const publicId of loaded.keys())
      if (!next.has(publicId)) report.info({ publicId }, 'flow withdrawn: it was deleted')
    loaded = next
    index = indexPublishedFlows([...next.values()].flatMap(({ flow }) => (flow ? [flow] : [])))
  })

  await refresh()
  const stop = catalogue.follow(() =>
    refresh().catch((err: unknown) => {
      report.warn({ err }, 'published flows could not be looked up: the last ones stay')
      throw err
    }),
  )
  return {
    byPublicId: (publicId) => index.byPublicId(publicId),
    byFlowId: (flowId) => index.byFlowId(flowId),
    list: () => index.list(),
    refresh,
    states: () => [...loaded.values()].map(stateOf),
    close: stop,
  }
}

/** In the order of the entries. */
async function loadAll(
  entries: readonly CatalogueEntry[],
  known: ReadonlyMap<string, LoadedFlow>,
  options: CatalogueFlowsOptions,
): Promise<Map<string, LoadedFlow>> {
  const all = new Map<string, LoadedFlow>()
  for (let first = 0; first < entries.length; first += loadedAtOnce) {
    const batch = entries.slice(first, first + loadedAtOnce)
    const flows = await Promise.all(batch.map((entry) => load(entry, known.get(entry.publicId), options)))
    for (const flow of flows) if (flow) all.set(flow.entry.publicId, flow)
  }
  return all
}

async function load(
  entry: CatalogueEntry,
  known: LoadedFlow | undefined,
  options: CatalogueFlowsOptions,
): Promise<LoadedFlow | undefined> {
  if (known?.entry.hash === entry.hash) return { ...known, entry, flow: known.flow && renew(known, entry) }
  const text = await options.catalogue.definition(entry.hash)
  // It was deleted meanwhile.
  if (text === undefined) return undefined
  return compile(text, entry, { ...options, last: known?.flow })
}

/** The same object where nothing has changed: what is published again is another. */
function renew({ entry: before, flow }: LoadedFlow, entry: CatalogueEntry): PublishedFlow | undefined {
  const isSame = (['version', 'publishedAt', 'isClosed', 'isArchived'] as const).every(
    (key) => before[key] === entry[key],
  )
  return flow && !isSame ? { ...flow, ...factsOf(entry) } : flow
}

async function compile(
  text: string,
  entry: CatalogueEntry,
  options: CatalogueFlowsOptions & { readonly last: PublishedFlow | undefined },
): Promise<LoadedFlow> {
  const { publish, inspect, report, last } = options
  const details = { publicId: entry.publicId, version: entry.version, hash: entry.hash }
  try {
    const { flow, program } = publish(text)
    const published = { ...factsOf(entry), flow, program }
    const findings = await inspect(flow, program)
    report.info({ ...details, flowId: flow.id, publishedBy: entry.publishedBy }, 'flow published')
    return { entry, flow: published, findings, problems: [] }
  } catch (error) {
    const fate = last ? 'the last one that could be stays published' : 'it is not published'
    const problems = problemsOf(error)
    report.error({ ...details, problems }, `version of a flow can't be run by this build: ${fate}`)
    return { entry, flow: last, findings: [], problems }
  }
}

function factsOf({ publicId, publishedAt, isClosed, isArchived }: CatalogueEntry) {
  return { publicId, publishedAt: new Date(publishedAt).toISOString(), isClosed, isArchived }
}

function stateOf({ entry, flow, findings, problems }: LoadedFlow): FlowState {
  const good = problems.length > 0 ? 'stale' : 'published'
  return {
    version: entry.version,
    state: flow ? good : 'broken',
    ...factsOf(entry),
    ...(flow && { ...nameOf(flow.flow), flowId: flow.flow.id }),
    problems: [...problems],
    findings: findings.slice(0, shownFindings),
  }
}

import type { Analytics } from '../../schemas/analytics.ts'
import type { Program } from '../engine/model/program.ts'
import type { ExportedFile, TableFormat } from '../exports/table-file.ts'
import { ServiceError } from '../lib/errors.ts'
import type { CountStore } from '../stores/counts/count-store.ts'
import { hourMs, storable } from '../stores/counts/turn-facts.ts'
import type { FlowTable } from '../stores/flow-table.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import { blockCounts, medianDuration, waysTaken } from './block-counts.ts'
import { checkFunnel } from './check-funnel.ts'
import { compareCohorts } from './compare-cohorts.ts'
import { hourOf } from './count-turn.ts'
import { exportCounts } from './export-counts.ts'
import { placesOf } from './path-places.ts'
import { settledHour } from './settled.ts'
import { funnelThrough, takenPaths, timesTaken } from './taken-paths.ts'
import { versionHash } from './version-hash.ts'

interface AnalyticsDependencies {
  readonly counts: CountStore
  readonly published: Pick<PublishedFlows, 'byPublicId' | 'byFlowId'>
  readonly flowTable: Pick<FlowTable, 'note' | 'versions'>
  readonly ports: { now(): number }
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
}

interface AnalyticsRequest {
  /** The public id of a published flow, else the flow's own id: counts outlive a publication. */
  readonly publicId: string
  /** Milliseconds since 1970. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** Its hash or its number. */
  readonly version?: string | undefined
  readonly by?: string | undefined
  readonly funnel?: readonly string[] | undefined
}

/** Steps of what turns have left that a reader counts first; the upkeep counts what is left then. */
const mostSteps = 50

/**
 * Reads what was counted of a flow, as of the last turn that was kept or of `countedUntil`. Throws NOT_FOUND for a flow that is not published and
 * of which nothing was counted, and BAD_REQUEST for a funnel through a block that it never had.
 */
async function readAnalytics(request: AnalyticsRequest, deps: AnalyticsDependencies): Promise<Analytics> {
  const { by, funnel } = request
  const { counts, ports, sessionTtlMs } = deps
  const { countedUntil, program, asked } = await selectCounts(request, deps)
  const { flowId, from, until } = asked
  const settled = settledHour({ program, now: ports.now(), sessionTtlMs })
  const [sums, places] = await Promise.all([counts.sum({ ...asked, settled }), counts.places(flowId)])
  if (funnel) checkFunnel(funnel, { program, versions: places })
  const paths = takenPaths(sums, places)
  const versions = new Map<string, number>()
  for (const path of paths) versions.set(path.version, (versions.get(path.version) ?? 0) + path.count)
  const median = medianDuration(sums)
  return {
    flowId,
    ...(request.from !== undefined && { from: timestamp(from) }),
    until: timestamp(until),
    ...(countedUntil !== undefined && { countedUntil: timestamp(countedUntil) }),
    conversations: timesTaken(paths),
    started: timesTaken(paths.filter(({ isStarted }) => isStarted)),
    completed: timesTaken(paths.filter(({ isCompleted }) => isCompleted)),
    handedOver: timesTaken(paths.filter(({ isHandedOver }) => isHandedOver)),
    ...(median !== undefined && { medianSeconds: median }),
    versions: [...versions].map(([hash, conversations]) => ({ hash, conversations })),
    blocks: blockCounts(sums, program ? placesOf(program).names : []),
    ...waysTaken(sums),
    ...(funnel && { funnel: funnelThrough(paths, funnel) }),
    ...(by !== undefined && { cohorts: compareCohorts(paths, by) }),
  }
}

/** The request as the store names its parts, once it has counted what turns have left. */
async function selectCounts(
  { publicId, from = 0, until, version }: AnalyticsRequest,
  deps: AnalyticsDependencies,
) {
  const countedUntil = await foldFirst(deps)
  const { flowId, program } = await findFlow(publicId, deps)
  const asked = {
    flowId,
    from: hourOf(from),
    until: hourOf(until ?? deps.ports.now() + hourMs),
    version: await versionHash({ publicId, version }, deps),
  }
  return { countedUntil, program, asked }
}

/** Counts what turns have left. The hour up to which all are counted, where there is more of it than a reader waits for. */
async function foldFirst({ counts }: AnalyticsDependencies): Promise<number | undefined> {
  for (let steps = 0; steps < mostSteps; steps++) if (!(await counts.fold())) return undefined
  return counts.pendingSince()
}

interface CountsExport extends Omit<AnalyticsRequest, 'by' | 'funnel'> {
  readonly format: TableFormat
  /** The name of the operator's token. */
  readonly actor: string
}

/** Reading of what was counted; the routes have checked the operator's token. */
export type AnalyticsReader = ReturnType<typeof createAnalytics>

export function createAnalytics(deps: AnalyticsDependencies) {
  return {
    read: (request: AnalyticsRequest) => readAnalytics(request, deps),
    /** A file of the counts by hour or day, which is noted in the audit before it begins. Throws as `read` does. */
    async export({ actor, format, ...request }: CountsExport): Promise<ExportedFile> {
      const { asked } = await selectCounts(request, deps)
      const { publicId: subject } = request
      await deps.flowTable.note({ actor, action: 'export', subject, detail: `counts as ${format}` })
      return exportCounts({ ...asked, format }, deps)
    },
  }
}

const timestamp = (hour: number) => new Date(hour * hourMs).toISOString()

async function findFlow(
  publicId: string,
  { published, counts }: AnalyticsDependencies,
): Promise<{ readonly flowId: string; readonly program: Program | undefined }> {
  const flow = (await published.byPublicId(publicId)) ?? (await published.byFlowId(publicId))
  if (flow) return { flowId: storable(flow.program.id), program: flow.program }
  const flowId = storable(publicId)
  if ((await counts.places(flowId)).length === 0) throw new ServiceError('NOT_FOUND', 'Flow not found')
  return { flowId, program: undefined }
}

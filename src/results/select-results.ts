import type { Milestone } from '../analytics/path-places.ts'
import { settledHour } from '../analytics/settled.ts'
import { versionHash } from '../analytics/version-hash.ts'
import type { Program } from '../engine/model/program.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import type { VersionPlaces } from '../stores/counts/count-store.ts'
import { hourMs, storable } from '../stores/counts/turn-facts.ts'
import type { PathFilter, ResultCountPage, ResultFilter } from '../stores/result-store.ts'
import type { ResultSelection } from './result-selection.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

interface SelectedFlow {
  readonly publicId: string
  readonly flowId: string
  readonly program: Program | undefined
  /** Whether parts of texts are looked for in what marked variables hold, too. */
  readonly isUnmasked?: boolean | undefined
}

/** A selection as stores find it. Throws BAD_REQUEST for a number of a version that there is not. */
export async function filterOf(
  selection: ResultSelection,
  flow: SelectedFlow,
  deps: ResultsDependencies,
): Promise<ResultFilter> {
  const { from, until, answer, answeredAt, text, leftAt, waitingAt, atFlow, waiting } = selection
  const version = await versionHash({ publicId: flow.publicId, version: selection.version }, deps)
  const place = leftAt ?? waitingAt
  const isOwn = atFlow === undefined || atFlow === flow.flowId
  const is = leftAt !== undefined ? false : waitingAt !== undefined ? true : waiting
  const since = settledHour({ ...flow, now: deps.ports.now(), sessionTtlMs: deps.sessionTtlMs }) * hourMs
  const cohort = cohortOf(selection)
  return {
    from,
    until,
    answer,
    answeredAt,
    text,
    hidesMasked: flow.isUnmasked !== true,
    paths: asksForPath(selection)
      ? pathsThrough({ ...selection, version }, await deps.counts.places(storable(flow.flowId)))
      : undefined,
    cohort: cohort.length > 0 ? cohort : undefined,
    place: place === undefined ? undefined : storable(isOwn ? place : `${atFlow}\n${place}`),
    // One that has ended waits since 0.
    waiting: is === undefined ? undefined : { is, since: Math.max(1, since) },
  }
}

function cohortOf({ locale, channel }: ResultSelection): string[] {
  const named = { locale, channel }
  return Object.entries(named).flatMap((part) => (part[1] === undefined ? [] : [JSON.stringify(part)]))
}

const milestones = [
  ['started', '\nstart'],
  ['completed', '\ncompletion'],
  ['handedOver', '\nhanded over'],
] as const satisfies readonly (readonly [keyof ResultSelection, Milestone])[]

const asksForPath = (selection: ResultSelection) =>
  selection.visited !== undefined ||
  selection.version !== undefined ||
  milestones.some(([name]) => selection[name] !== undefined)

/** By versions, as each has bits of its own; those that have them alike are one. */
function pathsThrough(selection: ResultSelection, versions: readonly VersionPlaces[]): PathFilter[] {
  const paths = new Map<string, PathFilter>()
  for (const { version, places } of versions) {
    if (selection.version !== undefined && selection.version !== version) continue
    const indexOf = (name: string) => places.indexOf(name)
    const reached = (is: boolean) =>
      milestones.flatMap(([name, milestone]) => (selection[name] === is ? [indexOf(milestone)] : []))
    const through = [...(selection.visited ?? []).map(storable).map(indexOf), ...reached(true)]
    if (through.includes(-1)) continue
    const without = reached(false)
    const key = JSON.stringify([through, without])
    const alike = paths.get(key)?.versions ?? []
    paths.set(key, { versions: [...alike, version], through, without })
  }
  return [...paths.values()]
}

interface CountRequest {
  /** Absent for all. */
  readonly filter?: ResultFilter | undefined
  /** Aborted when the caller no longer waits for the outcome: the count is then of no use. */
  readonly signal: AbortSignal
  /** Takes a step, and lets others have their turns. */
  readonly read: Semaphore
}

/** Counts the results of a flow in steps that hold nobody up, however many there are. */
export async function countResultsOf(
  flowId: string,
  { filter, signal, read }: CountRequest,
  { results }: Pick<ResultsDependencies, 'results'>,
): Promise<number> {
  let count = 0
  let cursor: string | undefined
  do {
    const asked = { cursor, filter }
    const page: ResultCountPage = await read(() => results.count(flowId, asked))
    count += page.count
    cursor = page.nextCursor
  } while (cursor !== undefined && !signal.aborted)
  return count
}

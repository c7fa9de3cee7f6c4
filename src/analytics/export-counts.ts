import type { Table, TableColumn, TableRow } from '../exports/table.ts'
import { type ExportedFile, type TableFormat, tableFile } from '../exports/table-file.ts'
import type { CountPageRequest, CountRow, CountStore, VersionPlaces } from '../stores/counts/count-store.ts'
import { hourMs } from '../stores/counts/turn-facts.ts'
import { countedEdgeOf, countedItemOf, countedPlaceOf, splitLast } from './block-counts.ts'
import { milestoneNames } from './path-places.ts'
import { takenPaths } from './taken-paths.ts'
import { secondsOf } from './time-buckets.ts'

const columns = [
  { name: 'time', type: 'time' },
  { name: 'version', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'count', type: 'count' },
  { name: 'flowId', type: 'text' },
  { name: 'blockId', type: 'text' },
  { name: 'edgeId', type: 'text' },
  { name: 'itemId', type: 'text' },
  { name: 'seconds', type: 'number' },
  { name: 'started', type: 'truth' },
  { name: 'completed', type: 'truth' },
  { name: 'handedOver', type: 'truth' },
  { name: 'visited', type: 'json' },
  { name: 'cohort', type: 'json' },
] as const satisfies readonly TableColumn[]

type Facts = Partial<Record<(typeof columns)[number]['name'], unknown>>

type CountsRequest = Pick<CountPageRequest, 'flowId' | 'from' | 'until' | 'version'>

/** Counts that are read at once. */
const readAtOnce = 1000

/** Writes the counts of a flow as a file, while they are read: a row for each hour or day, version and thing that was counted. */
export function exportCounts(
  request: CountsRequest & { readonly format: TableFormat },
  deps: { readonly counts: CountStore },
): ExportedFile {
  const { format, ...asked } = request
  return tableFile(tableOf(asked, deps), format)
}

function tableOf(asked: CountsRequest, { counts }: { readonly counts: CountStore }): Table {
  async function* rows(): AsyncGenerator<readonly TableRow[]> {
    const places = await counts.places(asked.flowId)
    let after: CountPageRequest['after']
    for (;;) {
      const page = await counts.page({ ...asked, after, limit: readAtOnce })
      yield page.map((row) => rowOf(row, places))
      after = page.at(-1)
      if (page.length < readAtOnce) return
    }
  }
  return { columns, rows: rows() }
}

function rowOf(row: CountRow, places: readonly VersionPlaces[]): TableRow {
  const { hour, version, kind, count } = row
  const facts: Facts = { time: hour * hourMs, version, kind, count, ...factsOf(row, places) }
  return columns.map(({ name }) => facts[name])
}

function factsOf(row: CountRow, places: readonly VersionPlaces[]): Facts {
  const { kind, name } = row
  if (kind === 'path') return pathFacts(row, places)
  if (kind === 'duration') return { seconds: secondsOf(Number(name)) }
  if (kind === 'edge') return countedEdgeOf(name)
  if (kind === 'item') return countedItemOf(name)
  if (kind !== 'time') return countedPlaceOf(name)
  const [block, bucket] = splitLast(name)
  return { ...countedPlaceOf(block), seconds: secondsOf(Number(bucket)) }
}

function pathFacts(row: CountRow, places: readonly VersionPlaces[]): Facts {
  const [path] = takenPaths([{ ...row, settled: 0 }], places)
  if (!path) return {}
  const { isStarted, isCompleted, isHandedOver, cohort, hasPassed } = path
  const names = places.find(({ version }) => version === row.version)?.places ?? []
  return {
    started: isStarted,
    completed: isCompleted,
    handedOver: isHandedOver,
    visited: names.slice(milestoneNames.length).filter(hasPassed),
    cohort: cohort.size > 0 ? Object.fromEntries(cohort) : undefined,
  }
}

import type { ResultBody } from '../../schemas/result.ts'
import { countedPlaceOf } from '../analytics/block-counts.ts'
import { milestoneNames } from '../analytics/path-places.ts'
import { readCohort } from '../analytics/taken-paths.ts'
import { Path } from '../stores/counts/path-bits.ts'
import { storable } from '../stores/counts/turn-facts.ts'
import type { Result, ResultVisit } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

export type DescribeVisit = (visit: ResultVisit) => NonNullable<ResultBody['visit']>

/** Makes what tells operators how far conversations of these results have come. */
export async function describeVisits(
  results: readonly Result[],
  { counts }: Pick<ResultsDependencies, 'counts'>,
): Promise<DescribeVisit> {
  const flowIds = new Set(results.flatMap(({ flowId, visit }) => (visit ? [storable(flowId)] : [])))
  const placesOf = new Map<string, readonly string[]>()
  for (const flowId of flowIds)
    for (const { version, places } of await counts.places(flowId)) placesOf.set(version, places)
  return (visit) => describeVisit(visit, placesOf.get(visit.version) ?? [])
}

function describeVisit(
  { version, path: written, cohort, place, askedAt }: ResultVisit,
  places: readonly string[],
): ReturnType<DescribeVisit> {
  const path = new Path(written)
  const blocks = places.slice(milestoneNames.length)
  const channel = readCohort(cohort).get('channel')
  return {
    version,
    visited: blocks.filter((_, index) => path.has(milestoneNames.length + index)),
    ...(place !== '' && countedPlaceOf(place)),
    ...(askedAt > 0 && { waitingSince: new Date(askedAt).toISOString() }),
    handedOver: path.has(milestoneNames.indexOf('\nhanded over')),
    ...(channel !== undefined && { channel }),
  }
}

import type { CountSum, VersionPlaces } from '../stores/counts/count-store.ts'
import { Path } from '../stores/counts/path-bits.ts'
import type { Milestone } from './path-places.ts'

/** A path, and how many conversations have taken it. */
export interface TakenPath {
  readonly version: string
  readonly count: number
  readonly cohort: ReadonlyMap<string, string>
  readonly isStarted: boolean
  readonly isCompleted: boolean
  readonly isHandedOver: boolean
  /** Whether it comes through a block. */
  hasPassed(block: string): boolean
}

/** Reads the paths among counts. */
export function takenPaths(
  sums: readonly CountSum[],
  versions: readonly VersionPlaces[],
): readonly TakenPath[] {
  const indexes = new Map(
    versions.map(({ version, places }) => [version, new Map(places.map((place, index) => [place, index]))]),
  )
  return sums.flatMap(({ version, kind, name, count }) => {
    if (kind !== 'path') return []
    const end = name.indexOf(' ')
    const path = new Path(end === -1 ? name : name.slice(0, end))
    const hasPassed = (place: string) => {
      const index = indexes.get(version)?.get(place)
      return index !== undefined && path.has(index)
    }
    const reached = (milestone: Milestone) => hasPassed(milestone)
    return {
      version,
      count,
      cohort: readCohort(end === -1 ? '' : name.slice(end + 1)),
      isStarted: reached('\nstart'),
      isCompleted: reached('\ncompletion'),
      isHandedOver: reached('\nhanded over'),
      hasPassed,
    }
  })
}

/** Names and values by which conversations are compared, as `pathName` and visits of results write them. */
export function readCohort(written: string): ReadonlyMap<string, string> {
  return new Map(written === '' ? [] : JSON.parse(written))
}

/** How many have come through the first of the blocks, through the first two, and so on. */
export function funnelThrough(paths: readonly TakenPath[], blockIds: readonly string[]) {
  let left = paths
  return blockIds.map((blockId) => {
    left = left.filter(({ hasPassed }) => hasPassed(blockId))
    return { blockId, conversations: timesTaken(left) }
  })
}

export function timesTaken(paths: readonly TakenPath[]): number {
  return paths.reduce((sum, { count }) => sum + count, 0)
}

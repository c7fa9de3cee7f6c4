import { Memo } from '../engine/model/footprint.ts'
import type { Program } from '../engine/model/program.ts'

/** Places that every path may come through, before the blocks of its flow. */
export const milestoneNames = ['\nstart', '\ncompletion', '\nhanded over'] as const

export type Milestone = (typeof milestoneNames)[number]

/** Places of a flow beyond which paths tell nothing: their names would be too long to be keys. */
export const mostPlaces = 4096

interface Places {
  readonly names: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
}

const known = new Memo<Program, Places>(({ names }) => 150 * names.length)

/** Everything that a path may come through in a version of a flow, in the order of its bits. */
export function placesOf(program: Program): Places {
  const before = known.get(program)
  if (before) return before
  const names = [...milestoneNames, ...program.blocks.ids()].slice(0, mostPlaces)
  const places = { names, indexes: new Map(names.map((name, index) => [name, index])) }
  known.keep(program, places, program.footprint)
  return places
}

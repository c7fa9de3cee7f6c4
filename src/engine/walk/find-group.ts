import { Memo } from '../model/footprint.ts'
import { type CompiledGroup, type Program, type Target, targetOf, topOf } from '../model/program.ts'

/** A group and the way to its blocks. */
interface FoundGroup {
  /** The top of the group. */
  readonly target: Target
  /** A block of this group; undefined when it holds none of this id. */
  block(id: string): Target | undefined
}

/** Finds a group by its id or its title; the first of several wins. A group without a title has none to be found by. */
export function findGroup(program: Program, by: 'id' | 'title', value: string): FoundGroup | undefined {
  const group = by === 'id' ? program.groups.get(value) : landmarksOf(program).byTitle.get(value)
  return group && { target: topOf(group), block: (id) => blockOf(group, id) }
}

/**
 * Entry of a flow for a link that names no group: its start, or, below version 6, the top of the group that holds the
 * `start` block (docs/behaviour/walk.md, "Old versions").
 */
export function entryTargetOf(program: Program): Target | undefined {
  if (!program.isLegacy) return targetOf(program, program.startEdgeId)
  const { holdsStart } = landmarksOf(program)
  return holdsStart && topOf(holdsStart)
}

function blockOf(group: CompiledGroup, id: string): Target | undefined {
  const block = group.find(id)
  return block && { kind: 'block', block }
}

interface Landmarks {
  readonly byTitle: ReadonlyMap<string, CompiledGroup>
  readonly holdsStart: CompiledGroup | undefined
}

/** Few flows ask for these, and a flow that does may ask in a loop. */
const landmarks = new Memo<Program, Landmarks>(({ byTitle }) => 64 * byTitle.size)

function landmarksOf(program: Program): Landmarks {
  const known = landmarks.get(program)
  if (known) return known
  const byTitle = new Map<string, CompiledGroup>()
  for (const group of program.groups.values()) {
    if (group.title !== '' && !byTitle.has(group.title)) byTitle.set(group.title, group)
  }
  const holdsStart = [...program.groups.values()].find(({ blocks }) =>
    blocks.some(({ type }) => type === 'start'),
  )
  const found = { byTitle, holdsStart }
  landmarks.keep(program, found, program.footprint)
  return found
}

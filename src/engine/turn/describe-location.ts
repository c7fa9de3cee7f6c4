import type { LogEntry } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'

/** Blocks of a loop that are named before the rest is only counted. */
const namedBlocks = 20

/** Describes where a block stands in its flow, for a log. */
export function describeLocation(block: CompiledBlock): string {
  return `Block "${block.id}" (${block.type}) in group "${block.group.title}" (${block.group.id})`
}

/** Says that an edge leads to a block that is not where the edge says. */
export function missingBlockLog(blockId: string, from: CompiledBlock | undefined): LogEntry {
  const description = `Block "${blockId}" is not in its group, which runs from the top instead`
  return {
    audience: 'visitors',
    status: 'error',
    description,
    ...(from && { details: describeLocation(from) }),
  }
}

/** Names the groups and blocks of the loop at the end of a trail; the last blocks when it holds no loop. */
export function describeLoop(trail: readonly CompiledBlock[]): string {
  const last = trail.at(-1)
  if (!last) return 'No block was run'
  const loopsFrom = trail.lastIndexOf(last, -2)
  const loop = new Set(loopsFrom === -1 ? trail.slice(-namedBlocks) : trail.slice(loopsFrom + 1))
  const byGroup = new Map<string, string[]>()
  for (const { id, group } of [...loop].slice(0, namedBlocks)) {
    const title = `"${group.title}" (${group.id})`
    byGroup.set(title, [...(byGroup.get(title) ?? []), id])
  }
  const groups = [...byGroup].map(([title, ids]) => `group ${title}: ${ids.join(', ')}`)
  const rest = loop.size > namedBlocks ? ` and ${loop.size - namedBlocks} more blocks` : ''
  return `${loopsFrom === -1 ? 'Last blocks' : 'Loop'}: ${groups.join('; ')}${rest}`
}

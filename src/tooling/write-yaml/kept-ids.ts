import { JumpBlock } from '../../../schemas/blocks/logic.ts'
import type { Flow } from '../../../schemas/flow.ts'
import { isOf } from '../../../schemas/tagged-union.ts'
import type { Ways } from './find-ways.ts'
import { countBy } from './part-names.ts'

/** Which ids stand in the YAML: the others are made anew from the place. */
export interface KeptIds {
  ofBlock(id: string): boolean
  ofGroup(id: string): boolean
  ofEvent(id: string): boolean
  /** Of one among several of the same block. */
  ofItem(id: string, siblings: readonly { readonly id: string }[]): boolean
  /** Whether translations name the texts of a block by their place. */
  isTranslated(blockId: string): boolean
  readonly all: boolean
}

/** Finds the ids that something names, and those that are not the only ones of their kind. */
export function findKeptIds(
  flow: Flow,
  { ways, named, all }: { readonly ways: Ways; readonly named: ReadonlySet<string>; readonly all: boolean },
): KeptIds {
  const { groups, localizations = {} } = flow
  const blocks = groups.flatMap(({ blocks }) => blocks)
  const blockCounts = countBy(blocks, ({ id }) => id)
  const groupCounts = countBy(groups, ({ id }) => id)
  const eventCounts = countBy(flow.events, ({ id }) => id)
  const keys = Object.values(localizations).flatMap((texts) => Object.keys(texts))
  const translated = new Set(
    keys.map((key) => key.slice(0, Math.max(0, key.search(/\/(?:content$|(?:content|options|items)\/)/)))),
  )
  const jumps = blocks.flatMap((block) => (isOf(block, JumpBlock) ? namedBy(block, ways) : []))
  const targets = new Set([...ways.targets, ...jumps])
  return {
    all,
    ofBlock: (id) =>
      all || blockCounts.get(id) !== 1 || targets.has(id) || translated.has(id) || named.has(id),
    ofEvent: (id) => all || eventCounts.get(id) !== 1,
    ofGroup: (id) => all || groupCounts.get(id) !== 1 || named.has(id),
    ofItem: (id, siblings) => all || named.has(id) || siblings.filter((item) => item.id === id).length > 1,
    isTranslated: (id) => translated.has(id),
  }
}

/** The block that a jump names in YAML too: one to the first block of a group is written as one to the group. */
function namedBy({ options = {} }: JumpBlock, ways: Ways): string[] {
  const { groupId = '', blockId, ...others } = options
  if (blockId === undefined) return []
  const way = ways.to(groupId, blockId)
  const isToGroup = way !== undefined && way === ways.to(groupId) && Object.keys(others).length === 0
  return isToGroup ? [] : [blockId]
}

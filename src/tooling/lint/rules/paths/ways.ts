import { isGroupTitle } from '../../model/graph/graph.ts'
import { blockName } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const noStart = defineRule({
  code: 'no-start',
  severity: 'warning',
  title: 'A start that leads nowhere',
  description:
    'Visitors see nothing at all: the start event has no edge, or, below version 6, the first block of the first group has none. Connect it to the group that comes first.',
  checkFlow({ model, report }) {
    if (model.program.startEdgeId !== undefined) return
    const pointer = model.program.isLegacy ? '/groups' : '/events/0'
    report({ pointer, message: 'The start leads nowhere: connect it to a group.' })
  },
})

const unreachableGroup = defineRule({
  code: 'unreachable-group',
  severity: 'warning',
  title: 'A group that nothing leads to',
  remedy: 'Lead an edge, an item or a Jump there, or delete it.',
  description:
    'No edge, jump or link leads to the group, so that no visitor ever sees it. Often the edge to it was lost. Connect it, or delete it. Nothing is reported in a flow that jumps to titles which only a conversation knows.',
  checkFlow({ model, report }) {
    const { flow, program } = model
    const reached = new Set<string>()
    for (const target of program.edges.values()) {
      if (target.kind === 'block') reached.add(target.block.group.id)
      if (target.kind === 'empty group') reached.add(target.group.id)
    }
    for (const { block } of model.blocks) {
      const groupId =
        'options' in block ? (block.options as { groupId?: unknown } | undefined)?.groupId : undefined
      if (typeof groupId !== 'string') continue
      if (isGroupTitle(groupId, program)) return
      reached.add(groupId)
    }
    // The first group of an old flow is where it starts.
    if (program.isLegacy && flow.groups[0]) reached.add(flow.groups[0].id)
    for (const [index, { id, title }] of flow.groups.entries()) {
      if (reached.has(id)) continue
      report({ pointer: `/groups/${index}`, message: `Nothing leads to group "${title ?? id}".` })
    }
  },
})

const unreachableBlock = defineRule({
  code: 'unreachable-block',
  severity: 'warning',
  title: 'A block that the block above never goes on to',
  remedy: 'Take away what leads elsewhere above, or the block.',
  description:
    'The block above always leaves elsewhere (a Jump, an input or a logic block with an edge of its own in the middle of the group), and no edge leads to the block itself. What stands there never happens. Move it up, or lead an edge to it.',
  checkFlow({ model, report }) {
    const { graph } = model
    const led = new Set([...graph.entries, ...model.blocks.flatMap(({ compiled }) => graph.next(compiled))])
    for (const placed of model.blocks) {
      const { following } = placed.compiled
      // Reported once, at the first block of those that are cut off.
      if (!following || led.has(following)) continue
      const below = model.blockAt(following.pointer)
      if (!below || !graph.isReachable(placed.compiled)) continue
      report({
        pointer: following.pointer,
        message: `Nothing leads to ${blockName(below)}: the block above always leaves elsewhere.`,
        related: [{ pointer: placed.pointer, message: 'This block leaves elsewhere.' }],
      })
    }
  },
})

const wayOutMissing = defineRule({
  code: 'way-out-missing',
  severity: 'warning',
  title: 'A choice or condition that leads nowhere while others lead on',
  description:
    'Some items of the block have an edge, and this one has none; nor does the block lead on for what has none of its own. Who takes it comes to the end of the conversation, without a word. Connect the item, or give the block an edge for all that have none.',
  checkBlock(placed, { model, report }) {
    const ways = placed.waysOut
    if (placed.kind === undefined || !ways.some(({ edgeId }) => edgeId !== undefined)) return
    // A condition that holds does not go on below: without an edge the path ends.
    const isCondition = placed.marks.decides
    if (!isCondition && model.graph.defaultNext(placed.compiled)) return
    const isMultiple =
      'options' in placed.block && (placed.block.options as { isMultipleChoice?: boolean })?.isMultipleChoice
    if (isMultiple || (!isCondition && placed.compiled.edgeId !== undefined)) return
    for (const { edgeId, label, pointer } of ways) {
      if (edgeId !== undefined) continue
      const named = label === undefined || isCondition ? 'This item' : `"${label}"`
      report({
        pointer,
        message: `${named} leads nowhere: the conversation ends here, while other items lead on.`,
      })
    }
  },
})

const conditionWithoutElse = defineRule({
  code: 'condition-without-else',
  severity: 'warning',
  title: 'A condition that leads nowhere when nothing holds',
  description:
    'The last block of a group is a condition without an edge of its own: where none of its items holds, the conversation ends. That is seldom meant, as values come that nobody thought of. Give the block an edge for everything else. Nothing is reported in a group that a Flow link or a Jump leads into and that comes back, nor where an item certainly holds.',
  checkBlock(placed, { model, report }) {
    const { compiled, marks, pointer, waysOut } = placed
    if (!marks.decides || waysOut.length === 0) return
    if (compiled.edgeId !== undefined || compiled.following) return
    const comesBack = model.leaves.has('by link') || model.leaves.has('by return')
    if (comesBack || waysOut.some(({ edgeId }) => edgeId === undefined)) return
    report({
      pointer,
      message: 'When no item holds, the conversation ends here: there is no way for everything else.',
    })
  },
})

/** Rules about where walks begin, and which ways they can take. */
export const wayRules: readonly Rule[] = [
  noStart,
  unreachableGroup,
  unreachableBlock,
  wayOutMissing,
  conditionWithoutElse,
]

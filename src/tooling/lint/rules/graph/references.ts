import { findGroup } from '../../../../engine/walk/find-group.ts'
import { twinOfType } from '../../model/block-schema.ts'
import { isGroupTitle } from '../../model/graph/graph.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type Report, type Rule, type RuleContext } from '../../rule.ts'

const duplicateId = defineRule({
  code: 'duplicate-id',
  severity: 'error',
  title: 'An id that is taken',
  description:
    'Two groups, blocks, edges, events or variables have one id. The first is found by it, and the other hardly ever. Copies of groups that were made outside of an editor look so. Give the later one an id of its own, and correct what names it.',
  checkFlow({ model, report }) {
    const { groups, edges, events, variables } = model.flow
    const blocks = groups.flatMap((group, index) => group.blocks.map(({ id }, at) => ({ id, index, at })))
    reportTaken(groups, (index) => `/groups/${index}`, report)
    reportTaken(edges, (index) => `/edges/${index}`, report)
    reportTaken(events, (index) => `/events/${index}`, report)
    reportTaken(variables, (index) => `/variables/${index}`, report)
    const blockAt = (place: number) => `/groups/${blocks[place]?.index}/blocks/${blocks[place]?.at}`
    reportTaken(blocks, blockAt, report)
  },
})

/** Reports each member of a list whose id an earlier one has. */
function reportTaken(
  list: readonly { readonly id: string }[],
  pointerAt: (index: number) => string,
  report: (report: Report) => void,
): void {
  const first = new Map<string, number>()
  for (const [index, { id }] of list.entries()) {
    const taken = first.get(id)
    if (taken === undefined) first.set(id, index)
    else
      report({
        pointer: `${pointerAt(index)}/id`,
        message: `The id "${id}" is taken by an earlier one, which wins.`,
        hint: 'Give this one its own.',
        related: [{ pointer: `${pointerAt(taken)}/id`, message: 'The id is first used here.' }],
      })
  }
}

const danglingEdge = defineRule({
  code: 'dangling-edge',
  severity: 'error',
  title: 'An edge id that no edge has',
  remedy: 'Add an edge of this id to `edges`, or name one that is there.',
  description:
    'A block, an item, a card path or an event names an `outgoingEdgeId` that is not among the `edges`: the path ends there, with an error log. Editors leave such ids behind when an edge is deleted. Connect the block anew, or delete the id.',
  checkFlow({ model, report }) {
    const { flow, program } = model
    // Below version 6 the start is a block, which is looked at as such.
    const events = program.isLegacy ? [] : flow.events
    for (const [index, { outgoingEdgeId }] of events.entries()) {
      if (outgoingEdgeId === undefined || program.edges.has(outgoingEdgeId)) continue
      report({
        pointer: `/events/${index}/outgoingEdgeId`,
        message: messageFor(outgoingEdgeId),
        edgeId: outgoingEdgeId,
      })
    }
  },
  checkBlock(placed, context) {
    const { compiled, pointer } = placed
    const { edges } = context.model.program
    const { edgeId } = compiled
    if (edgeId !== undefined && !edges.has(edgeId)) {
      const path = `${pointer}/outgoingEdgeId`
      // In the middle of a group the block below would come next.
      const fix = { title: 'Delete the edge id', patch: [{ op: 'remove' as const, path }] }
      context.report({
        pointer: path,
        message: messageFor(edgeId),
        edgeId,
        ...(!compiled.following && { fix }),
      })
    }
    checkItems(placed, context)
  },
})

const messageFor = (edgeId: string) => `No edge has the id "${edgeId}": the path ends here.`

function checkItems(placed: PlacedBlock, { model, report }: RuleContext): void {
  if (placed.kind === undefined) return
  for (const { edgeId, pointer } of placed.waysOut) {
    if (edgeId === undefined || model.program.edges.has(edgeId)) continue
    const message = `No edge has the id "${edgeId}" that an item names.`
    report({ pointer: `${pointer}/outgoingEdgeId`, message, edgeId })
  }
}

const missingGroup = defineRule({
  code: 'missing-group',
  severity: 'error',
  title: 'An edge to a group that does not exist',
  description:
    'The conversation ends where the edge is taken, with an error log, flows behind links included. Lead the edge to a group that exists, or delete it.',
  checkFlow({ model, report }) {
    for (const { edge, pointer, target } of model.edges) {
      if (target.kind !== 'missing group') continue
      report({ pointer: `${pointer}/to/groupId`, message: `No group has the id "${edge.to.groupId}".` })
    }
  },
})

const missingBlock = defineRule({
  code: 'missing-block',
  severity: 'error',
  title: 'An edge to a block that is not in its group',
  remedy: 'Lead it to the group alone, or to a block of the group.',
  description:
    'The group runs from its top instead, with an error log. Editors leave such edges behind when a block is moved to another group. Lead the edge to a block of the group, or to the group itself.',
  checkFlow({ model, report }) {
    for (const { edge, pointer, target } of model.edges) {
      if (target.kind === 'missing group' || target.missingBlockId === undefined) continue
      const path = `${pointer}/to/blockId`
      report({
        pointer: path,
        message: `Block "${target.missingBlockId}" is not in group "${edge.to.groupId}", which runs from its top instead.`,
        fix: { title: 'Lead the edge to the top of the group', patch: [{ op: 'remove', path }] },
      })
    }
  },
})

const unknownBlockType = defineRule({
  code: 'unknown-block-type',
  severity: 'error',
  title: 'A block of a type that this server does not know',
  description:
    'The block is skipped, with an error log. Either its type is misspelt, or it comes from an editor that has more blocks than this server runs. Replace it by blocks that are known.',
  checkBlock({ block, compiled, pointer }, { report }) {
    if (compiled.handler) return
    const message = `The type "${block.type}" is unknown to this server: the block is skipped.`
    const twin = twinOfType(block.type)
    const hint = twin ? `Did you mean "${twin.type}"?` : 'Types are written as docs/behaviour.md has them.'
    report({ pointer: `${pointer}/type`, message, hint })
  },
})

const jumpTargetMissing = defineRule({
  code: 'jump-target-missing',
  severity: 'error',
  title: 'A jump to a group or block that does not exist',
  description:
    'A Jump, or a Flow link into the same flow, names a group or a block that is not there: it was deleted, or moved to another group. The path ends there, behind a link it goes on below, and either leaves an error log. Choose the target anew. Titles that only a conversation knows are not checked.',
  checkBlock({ block, marks, pointer }, { model, report }) {
    const { program } = model
    const { flowId, groupId, blockId } = marks.leadsTo?.(block) ?? {}
    if (!groupId || isGroupTitle(groupId, program)) return
    const isElsewhere = marks.leaves === 'by link' && flowId !== 'current' && flowId !== program.id
    if (isElsewhere) return
    const group = findGroup(program, 'id', groupId)
    const at = `${pointer}/options`
    if (!group) {
      const titled = model.flow.groups.find(({ title }) => title === groupId)
      const hint = titled
        ? `That is the title of a group: its id is "${titled.id}".`
        : 'Name the id of a group.'
      return report({ pointer: `${at}/groupId`, message: `No group has the id "${groupId}".`, hint })
    }
    if (!blockId || group.block(blockId)) return
    const message = `Block "${blockId}" is not in the group that this jumps to: the path ends here.`
    report({ pointer: `${at}/blockId`, message })
  },
})

/** Rules about ids, and about what names something that is not there. */
export const referenceRules: readonly Rule[] = [
  duplicateId,
  danglingEdge,
  missingGroup,
  missingBlock,
  unknownBlockType,
  jumpTargetMissing,
]

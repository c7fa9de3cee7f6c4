import { findGroup } from '../../../../engine/model/program.ts'
import { isGroupTitle } from '../../model/graph/graph.ts'
import { defineRule } from '../../rule.ts'

/** Jumps and links within the flow to what is not there. */
export const jumpTargetMissing = defineRule({
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
    if (!group) return report({ pointer: `${at}/groupId`, message: `No group has the id "${groupId}".` })
    if (!blockId || group.block(blockId)) return
    const message = `Block "${blockId}" is not in the group that this jumps to: the path ends here.`
    report({ pointer: `${at}/blockId`, message })
  },
})

import { findGroup } from '../../../engine/model/program.ts'
import { isGroupTitle } from '../../model/graph.ts'
import { blockAs } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Jumps and links within the flow to what is not there. */
export const jumpTargetMissing = defineRule({
  code: 'jump-target-missing',
  severity: 'error',
  title: 'A jump to a group or block that does not exist',
  description:
    'A Jump, or a Flow link into the same flow, names a group or a block that is not there: it was deleted, or moved to another group. The path ends there, behind a link it goes on below, and either leaves an error log. Choose the target anew. Titles that only a conversation knows are not checked.',
  blockTypes: ['Jump', 'Flow link'],
  checkBlock(placed, { model, report }) {
    const { program } = model
    const { type, options } = blockAs<'Jump' | 'Flow link'>(placed)
    const groupId = options?.groupId
    if (!groupId || isGroupTitle(groupId, program)) return
    if (type === 'Flow link' && options.flowId !== 'current' && options.flowId !== program.id) return
    const group = findGroup(program, 'id', groupId)
    const at = `${placed.pointer}/options`
    if (!group) return report({ pointer: `${at}/groupId`, message: `No group has the id "${groupId}".` })
    const blockId = type === 'Jump' ? options.blockId : undefined
    if (!blockId || group.block(blockId)) return
    const message = `Block "${blockId}" is not in the group that this jumps to: the path ends here.`
    report({ pointer: `${at}/blockId`, message })
  },
})

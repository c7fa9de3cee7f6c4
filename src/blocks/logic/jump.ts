import type { JumpBlock } from '../../../schemas/blocks/logic/jump.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Step } from '../../engine/model/step.ts'
import { compileGroupName, type GroupName, renderGroupName } from '../group-name.ts'

interface Jump {
  readonly group: GroupName
  readonly blockId: string | undefined
}

/** Goes on at another group of the flow (docs/behaviour.md, "Jumps and returns"). */
export const jump = defineBlock<JumpBlock, Jump | undefined>({
  types: ['Jump'],
  kind: 'logic',
  compile({ options }, context) {
    const group = compileGroupName(options?.groupId, context)
    return group && { group, blockId: options?.blockId || undefined }
  },
  run(compiled, context) {
    if (!compiled) return { next: { to: 'fall through' } }
    const { by, value } = renderGroupName(compiled.group, context)
    const group = context.findGroup(by, value)
    if (!group) return lost(context, { groupIdOrTitle: value })
    if (compiled.blockId === undefined) return { next: { to: 'jump', target: group.target } }
    const target = group.block(compiled.blockId)
    return target
      ? { next: { to: 'jump', target } }
      : lost(context, { groupIdOrTitle: value, blockId: compiled.blockId })
  },
})

function lost(context: RunContext, wanted: { groupIdOrTitle: string; blockId?: string }): Step {
  const { groupIdOrTitle, blockId } = wanted
  const description =
    blockId === undefined ? 'The group to jump to does not exist' : 'The block to jump to is not in its group'
  const details = JSON.stringify({
    groupIdOrTitle,
    jumpBlockId: context.blockId,
    ...(blockId !== undefined && { blockId }),
  })
  return {
    logs: [{ status: 'error', context: 'Jump', description, details }],
    next: { to: 'end' },
  }
}

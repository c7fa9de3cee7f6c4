import type { JumpBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { compileGroupName, type GroupName, renderGroupName } from '../group-name.ts'

interface Jump {
  readonly group: GroupName
  readonly blockId: string | undefined
}

/** Goes on at another group of the flow (docs/behaviour/walk.md, "Jumps and returns"). */
export const jump = defineBlock<JumpBlock, Jump | undefined>({
  types: ['Jump'],
  kind: 'logic',
  compile({ options }, context) {
    const group = compileGroupName(options?.groupId, context)
    return group && { group, blockId: options?.blockId || undefined }
  },
  run(compiled, context) {
    if (!compiled) return { next: { to: 'fall through' } }
    const { group, blockId } = compiled
    return { next: { to: 'jump', group: renderGroupName(group, context), blockId } }
  },
  marks: {
    leaves: 'by jump',
    changesNothing: true,
    leadsTo: ({ options }) => ({ groupId: options?.groupId, blockId: options?.blockId }),
  },
})

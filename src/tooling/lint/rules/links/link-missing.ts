import { entryTargetOf, findGroup } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { isGroupTitle } from '../../model/graph/graph.ts'
import { defineRule } from '../../rule.ts'

/** Links that can't be followed. */
export const linkMissing = defineRule({
  code: 'link-missing',
  severity: 'error',
  title: 'A link that can not be followed',
  description:
    'The link names no flow, a flow that does not exist, or one that has no such group or no start: it is passed by, with an error log. Choose the flow anew. Other flows are looked at where they are known: files that are checked together, and the published ones for whoever holds the preview token.',
  checkBlock({ block, marks, pointer }, { model, report }) {
    if (marks.leaves !== 'by link') return
    const { flowId = '', groupId } = marks.leadsTo?.(block) ?? {}
    const at = `${pointer}/options`
    if (flowId === '') return report({ pointer, message: 'This link names no flow.' })
    const target = flowOf(flowId, model)
    if (target === 'unknown') return
    if (!target) return report({ pointer: `${at}/flowId`, message: `No flow has the id "${flowId}".` })
    if (!groupId) {
      if (!target.hasStart)
        report({ pointer: `${at}/flowId`, message: 'The start of this flow leads nowhere.' })
      return
    }
    if (isGroupTitle(groupId, model.program) || target.hasGroup(groupId)) return
    // Within the flow that is the business of another rule.
    if (!target.isSame)
      report({ pointer: `${at}/groupId`, message: `Flow "${flowId}" has no group "${groupId}".` })
  },
})

interface LinkTarget {
  readonly isSame: boolean
  readonly hasStart: boolean
  hasGroup(id: string): boolean
}

function flowOf(flowId: string, { program, surroundings }: FlowModel): LinkTarget | 'unknown' | undefined {
  if (flowId === 'current' || flowId === program.id) {
    const entry = entryTargetOf(program)
    const hasStart = entry !== undefined && entry.kind !== 'missing group'
    return { isSame: true, hasStart, hasGroup: (id) => findGroup(program, 'id', id) !== undefined }
  }
  if (!surroundings.findFlow) return 'unknown'
  const found = surroundings.findFlow(flowId)
  return found && { isSame: false, hasStart: found.hasStart, hasGroup: (id) => found.groupIds.has(id) }
}

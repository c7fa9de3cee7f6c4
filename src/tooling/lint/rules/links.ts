import { entryTargetOf, findGroup } from '../../../engine/walk/find-group.ts'
import type { FlowModel } from '../model/flow-model.ts'
import { isGroupTitle } from '../model/graph/graph.ts'
import { linksBeforeInputs } from '../model/neighbours.ts'
import { defineRule, type Rule } from '../rule.ts'

const linkMissing = defineRule({
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

/** Flows that are followed from one link to the next. */
const mostFlows = 100

const linkCycle = defineRule({
  code: 'link-cycle',
  severity: 'warning',
  title: 'Flows that link to each other without a question in between',
  description:
    'The link leads to a flow that leads back here, and nobody is asked anything on the way: flows are entered inside each other until there are 50, and the links then passed by, with a log. Ask something in between, or lead back by a Return.',
  checkFlow({ model, report }) {
    const { flow, program, surroundings, blocks } = model
    if (!model.leaves.has('by link')) return
    const atOnce = new Set(linksBeforeInputs(model))
    for (const { block, marks, pointer } of blocks) {
      const { flowId, groupId } = marks.leadsTo?.(block) ?? {}
      if (!flowId || groupId || !atOnce.has(flowId)) continue
      const isSame = (id: string) => id === 'current' || id === program.id || id === flow.publicId
      if (!isSame(flowId) && !leadsBack(flowId)) continue
      report({ pointer, message: 'This link leads back here before anybody is asked anything.' })
    }

    function leadsBack(first: string): boolean {
      const met = new Set([first])
      for (const id of met) {
        if (met.size > mostFlows) return false
        const found = surroundings.findFlow?.(id)
        for (const next of found?.linksAtOnce ?? []) {
          if (next === program.id || (flow.publicId !== undefined && next === flow.publicId)) return true
          if (next !== 'current') met.add(next)
        }
      }
      return false
    }
  },
})

const linkClosed = defineRule({
  code: 'link-closed',
  severity: 'warning',
  title: 'A link to a flow that is archived',
  description:
    'The flow counts as gone, and can not be started; links still lead into it, until its file is deleted. Lead to its successor. Flows that are merely closed are fine: a part of a conversation is often not meant to be started by itself.',
  checkBlock({ block, marks, pointer }, { model, report }) {
    const { flowId } = marks.leadsTo?.(block) ?? {}
    if (!flowId || model.surroundings.findFlow?.(flowId)?.isArchived !== true) return
    report({ pointer: `${pointer}/options/flowId`, message: `Flow "${flowId}" is archived.` })
  },
})

/** Rules about links to other flows, as far as the surroundings know them. */
export const linkRules: readonly Rule[] = [linkMissing, linkCycle, linkClosed]

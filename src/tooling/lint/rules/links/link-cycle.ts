import { linksBeforeInputs } from '../../model/surroundings/neighbours.ts'
import { defineRule } from '../../rule.ts'

/** Flows that are followed from one link to the next. */
const mostFlows = 100

/** Links that lead back without a question. */
export const linkCycle = defineRule({
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

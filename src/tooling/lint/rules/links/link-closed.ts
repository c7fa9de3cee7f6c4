import { defineRule } from '../../rule.ts'

/** Links to flows that are archived. */
export const linkClosed = defineRule({
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

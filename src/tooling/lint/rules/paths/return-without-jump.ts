import { defineRule } from '../../rule.ts'

/** Returns that have nothing to go back to. */
export const returnWithoutJump = defineRule({
  code: 'return-without-jump',
  severity: 'info',
  title: 'A Return in a flow that never jumps',
  description:
    'A Return leads back behind the last Jump, or to where the conversation waited when an event came. This flow has neither, nor does it link to others, so that the block does nothing: the one below comes next. Delete it, or use an edge.',
  checkBlock({ marks, pointer }, { model, report }) {
    if (marks.leaves !== 'by return') return
    const { flow, program } = model
    const hasJump = model.leaves.has('by jump') || model.leaves.has('by link')
    if (hasJump || (!program.isLegacy && flow.events.length > 1)) return
    report({ pointer, message: 'Nothing in this flow jumps, so that there is nothing to go back to.' })
  },
})

import { defineRule } from '../../rule.ts'

/** Items that end the conversation where others of the same block lead on. */
export const wayOutMissing = defineRule({
  code: 'way-out-missing',
  severity: 'warning',
  title: 'A choice or condition that leads nowhere while others lead on',
  description:
    'Some items of the block have an edge, and this one has none; nor does the block lead on for what has none of its own. Who takes it comes to the end of the conversation, without a word. Connect the item, or give the block an edge for all that have none.',
  checkBlock(placed, { model, report }) {
    const ways = placed.waysOut
    if (placed.kind === undefined || !ways.some(({ edgeId }) => edgeId !== undefined)) return
    // A condition that holds does not go on below: without an edge the path ends.
    const isCondition = placed.marks.decides
    if (!isCondition && model.graph.defaultNext(placed.compiled)) return
    const isMultiple =
      'options' in placed.block && (placed.block.options as { isMultipleChoice?: boolean })?.isMultipleChoice
    if (isMultiple || (!isCondition && placed.compiled.edgeId !== undefined)) return
    for (const { edgeId, label, pointer } of ways) {
      if (edgeId !== undefined) continue
      const named = label === undefined || isCondition ? 'This item' : `"${label}"`
      report({
        pointer,
        message: `${named} leads nowhere: the conversation ends here, while other items lead on.`,
      })
    }
  },
})

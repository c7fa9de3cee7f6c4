import { itemEdgesOf } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Ends right behind an input. */
export const silentEnd = defineRule({
  code: 'silent-end',
  severity: 'info',
  title: 'An end right behind a question',
  description:
    'The visitor answers, and hears nothing any more: the conversation ends with the input. Say at least that the answer has arrived. Nothing is reported where some of the choices lead on.',
  checkBlock(placed, { model, report }) {
    const { compiled, kind, pointer } = placed
    if (kind !== 'input' || compiled.edgeId !== undefined || itemEdgesOf(placed).length > 0) return
    if (model.graph.next(compiled).length > 0 || !model.graph.isReachable(compiled)) return
    if (model.leaves.has('by link')) return
    report({ pointer, message: 'The conversation ends as soon as this is answered, without a word.' })
  },
})

import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Inputs that refuse answers with words that the author has not written. */
export const retrySaysNothing = defineRule({
  code: 'retry-says-nothing',
  severity: 'info',
  title: 'An input that refuses answers without words of its own',
  description:
    'The input takes answers of one kind only, and neither the block (`retryMessageContent`, where its type has that) nor the settings (`general.systemMessages.invalidMessage`) say what a visitor reads whose answer is refused: that is a general English sentence. Write what is wanted, in the language of the flow. Reported once for a flow, at the first such input.',
  checkFlow({ model, report }) {
    const { settings, events } = model.flow
    const isSaid = settings.general?.systemMessages?.invalidMessage
    if (isSaid || events.some(({ type }) => type === 'invalidReply')) return
    const [first, ...others] = model.blocks.filter(refusesWithoutWords)
    if (!first) return
    const more = others.length > 0 ? ` and at ${others.length} more inputs` : ''
    report({
      pointer: first.pointer,
      message: `Nothing says what is shown when an answer is refused here${more}.`,
      hint: 'Write it into settings.general.systemMessages.invalidMessage.',
      related: others.slice(0, 5).map(({ pointer }) => ({ pointer, message: 'Nor here.' })),
    })
  },
})

function refusesWithoutWords({ block, marks }: PlacedBlock): boolean {
  if (marks.refuses !== 'other kinds') return false
  const { retryMessageContent } = ('options' in block ? (block.options ?? {}) : {}) as {
    retryMessageContent?: string
  }
  return !retryMessageContent
}

import { defineRule } from '../../rule.ts'

const strictTypes = [
  'number input',
  'email input',
  'url input',
  'phone number input',
  'date input',
  'time input',
]

/** Inputs that refuse answers with words that the author has not written. */
export const retrySaysNothing = defineRule({
  code: 'retry-says-nothing',
  severity: 'info',
  title: 'An input that refuses answers without words of its own',
  description:
    'The input takes answers of one kind only, and neither the block (`retryMessageContent`) nor the settings (`invalidMessage`) say what a visitor reads whose answer is refused: that is a general English sentence. Write what is wanted, in the language of the flow.',
  blockTypes: strictTypes,
  checkBlock({ block, pointer }, { model, report }) {
    const { settings, events } = model.flow
    if (
      settings.general?.systemMessages?.invalidMessage ||
      events.some(({ type }) => type === 'invalidReply')
    )
      return
    const { retryMessageContent } = ('options' in block ? (block.options ?? {}) : {}) as {
      retryMessageContent?: string
    }
    if (retryMessageContent) return
    // Only some of these have a text of their own.
    const isOwn =
      block.type === 'email input' || block.type === 'url input' || block.type === 'phone number input'
    const where = isOwn ? 'the block nor the settings say' : 'settings say'
    const not = isOwn ? 'Neither' : 'No'
    report({ pointer, message: `${not} ${where} what is shown when an answer is refused.` })
  },
})

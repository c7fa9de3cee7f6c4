import { EmailBlock } from '../../../../../schemas/blocks/integrations.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { blockAs } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const mailWithoutRecipient = defineRule({
  code: 'mail-without-recipient',
  severity: 'error',
  title: 'A mail without a recipient',
  remedy: 'List who gets it under `recipients`.',
  description:
    'The block is set up, and has no recipients: nothing is sent, and no log says so. Add an address.',
  blockTypes: tagsOf(EmailBlock),
  checkBlock(placed, { report }) {
    const { options } = blockAs<EmailBlock>(placed)
    if (!options || options.recipients?.some((address) => address.trim() !== '')) return
    report({ pointer: `${placed.pointer}/options`, message: 'This mail has no recipient: nothing is sent.' })
  },
})

const mailInPreview = defineRule({
  code: 'mail-in-preview',
  severity: 'info',
  title: 'A mail that no preview sends',
  description:
    'Previews send no mails, and leave a log in their place: that a mail goes out, and to whom, is seen with mocks, in tests of the flow (`mailed`, [testing-flows.md](testing-flows.md)), or live. Reported once for a flow, at its first mail.',
  checkFlow({ model, report }) {
    const first = model.blocks.find(({ block, marks }) => marks.mails && 'options' in block && block.options)
    if (first) report({ pointer: first.pointer, message: 'Previews do not send this mail.' })
  },
})

/** Rules about mails. */
export const mailRules: readonly Rule[] = [mailWithoutRecipient, mailInPreview]

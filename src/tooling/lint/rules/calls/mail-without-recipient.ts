import { EmailBlock } from '../../../../../schemas/blocks/integrations/email.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { blockAs } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Mails without a recipient. */
export const mailWithoutRecipient = defineRule({
  code: 'mail-without-recipient',
  severity: 'error',
  title: 'A mail without a recipient',
  description:
    'The block is set up, and has no recipients: nothing is sent, and no log says so. Add an address.',
  blockTypes: tagsOf(EmailBlock),
  checkBlock(placed, { report }) {
    const { options } = blockAs<EmailBlock>(placed)
    if (!options || options.recipients?.some((address) => address.trim() !== '')) return
    report({ pointer: `${placed.pointer}/options`, message: 'This mail has no recipient: nothing is sent.' })
  },
})

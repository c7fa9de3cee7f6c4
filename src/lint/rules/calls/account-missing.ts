import { chatCompletionTypes } from '../../../../schemas/blocks/integrations/chat-completion.ts'
import { defineRule } from '../../rule.ts'

/** Blocks whose account is not there. */
export const accountMissing = defineRule({
  code: 'account-missing',
  severity: 'warning',
  title: 'An account that is not there',
  description:
    "The block names an account (`credentialsId`) that no account of the operator answers to, or a mail names none at all: the call is not made, with an error log. That is what breaks first when a flow is imported, as accounts stay where they were. Choose one that is there. Which accounts there are is known where the operator's file of accounts is at hand.",
  blockTypes: ['Email', ...chatCompletionTypes],
  checkBlock({ block, pointer }, { model, report }) {
    const options = ('options' in block ? block.options : undefined) as { credentialsId?: string } | undefined
    if (!options) return
    const { credentialsId } = options
    const at = `${pointer}/options`
    if (block.type === 'Email' && !credentialsId) {
      return report({ pointer: at, message: 'This mail names no account to be sent from.' })
    }
    const { hasAccount } = model.surroundings
    const type = block.type === 'Email' ? 'smtp' : block.type
    if (!hasAccount || hasAccount(type, credentialsId || undefined)) return
    const named = credentialsId ? `the id "${credentialsId}"` : `the type "${type}"`
    report({ pointer: credentialsId ? `${at}/credentialsId` : at, message: `No account has ${named}.` })
  },
})

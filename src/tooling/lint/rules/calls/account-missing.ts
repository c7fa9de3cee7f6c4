import { accountOf } from '../../model/surroundings/account-of.ts'
import { defineRule } from '../../rule.ts'

/** Blocks whose account is not there. */
export const accountMissing = defineRule({
  code: 'account-missing',
  severity: 'warning',
  title: 'An account that is not there',
  description:
    "The block names an account (`credentialsId`) that no account of the operator answers to, or names none where there is none for its type (`default-<type>`), or is a mail that names none at all: the call is not made, with an error log. That is what breaks first when a flow is imported, as accounts stay where they were. Choose one that is there. Which accounts there are is known where the operator's file of accounts is at hand.",
  checkBlock(placed, { model, report }) {
    const account = accountOf(placed)
    if (!account) return
    const { type, id, isNamed } = account
    const pointer = `${placed.pointer}/options`
    if (type === 'smtp' && !isNamed)
      return report({ pointer, message: 'This mail names no account to be sent from.' })
    const { hasAccount } = model.surroundings
    if (!hasAccount || hasAccount(type, id)) return
    report({
      pointer: isNamed ? `${pointer}/credentialsId` : pointer,
      message: `No account of the type "${type}" has the id "${id}".`,
    })
  },
})

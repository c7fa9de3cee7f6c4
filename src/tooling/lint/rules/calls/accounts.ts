import { accountOf } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'
import { defineCompiledRule } from '../compiled.ts'

const notAvailable = defineCompiledRule({
  code: 'not-available',
  severity: 'warning',
  title: 'An action that this server does not know',
  description:
    'The block is known, and its action is not: it is passed over with a log, and the variables that it would write stay as they are. Do the same with an HTTP request, or leave it out.',
})

const retiredAction = defineCompiledRule({
  code: 'retired-action',
  severity: 'warning',
  title: 'An action that its vendor has shut down',
  description:
    'No server answers it any more: the block is passed over with a log, and the variables that it would write stay as they are. Choose the action that took its place.',
})

const accountMissing = defineRule({
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

/** Rules about blocks that can make no call. */
export const accountRules: readonly Rule[] = [notAvailable, retiredAction, accountMissing]

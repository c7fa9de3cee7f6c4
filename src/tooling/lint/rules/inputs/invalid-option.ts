import { originFindings } from '../../../../engine/compile/allowed-origins.ts'
import { defineRule, type Rule } from '../../rule.ts'
import { defineCompiledRule } from '../compiled.ts'

const reported: Rule = defineCompiledRule({
  code: 'invalid-option',
  severity: 'warning',
  title: 'An option that does not work as it is written',
  description:
    'A date format that is none, a file type that no upload can have, a number that is no number, an origin that no browser sends: the option is ignored, or the block refuses what it should take. The message says what would work.',
})

/** Options that blocks can't use, and origins that browsers never send. */
export const invalidOption = defineRule({
  ...reported,
  checkFlow({ model, report }) {
    for (const { pointer, severity, hint: message } of originFindings(model.flow.settings)) {
      report({ pointer, severity, message })
    }
  },
})

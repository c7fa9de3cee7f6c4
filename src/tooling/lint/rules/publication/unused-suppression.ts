import { defineRule } from '../../rule.ts'

/** Reported by the linter itself, which knows what was of use. */
export const unusedSuppression = defineRule({
  code: 'unused-suppression',
  severity: 'info',
  title: 'An ignored code that nothing is found of',
  description:
    'A part of the flow says `"lint": {"ignore": ["<code>"]}`, and the rule finds nothing there: the mistake is mended, or the code is misspelt. Delete the entry, so that the rule can find what comes later. Entries for rules that are switched off by the configuration are left alone.',
})

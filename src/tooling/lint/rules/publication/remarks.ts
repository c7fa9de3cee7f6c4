import { defineRule } from '../../rule.ts'

/** Reported by the linter itself, for what no start takes. */
export const invalidDefinition = defineRule({
  code: 'invalid-definition',
  severity: 'error',
  title: 'A definition that no start takes',
  description:
    'A required key is missing, or a value has the wrong type or is none of the words that are allowed: starts refuse the definition with 400 (`BAD_REQUEST`), and a file like it is not published. Only when that is mended are the other rules applied.',
})

/** Reported by the linter itself, which knows what was of use. */
export const unusedSuppression = defineRule({
  code: 'unused-suppression',
  severity: 'info',
  title: 'An ignored code that nothing is found of',
  description:
    'A part of the flow says `"lint": {"ignore": ["<code>"]}`, and the rule finds nothing there: the mistake is mended, or the code is misspelt. Delete the entry, so that the rule can find what comes later. Entries for rules that are switched off by the configuration are left alone.',
})

/** Reported by the linter itself, when it stops before its end. */
export const notAllChecked = defineRule({
  code: 'not-all-checked',
  severity: 'info',
  title: 'More than is checked or listed',
  description:
    'A thousand findings of one flow are listed, or as many as fit into a megabyte; and a check over HTTP ends when it has taken as long as a turn of a preview may. What comes behind is left out until the first ones are mended.',
})

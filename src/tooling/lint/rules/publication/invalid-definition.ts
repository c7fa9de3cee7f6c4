import { defineRule } from '../../rule.ts'

/** Reported by the linter itself, for what no start takes. */
export const invalidDefinition = defineRule({
  code: 'invalid-definition',
  severity: 'error',
  title: 'A definition that no start takes',
  description:
    'A required key is missing, or a value has the wrong type or is none of the words that are allowed: starts refuse the definition with 400 (`BAD_REQUEST`), and a file like it is not published. Only when that is mended are the other rules applied.',
})

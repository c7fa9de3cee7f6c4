import { defineCompiledRule } from '../compiled.ts'

/** Patterns that never match. */
export const invalidPattern = defineCompiledRule({
  code: 'invalid-pattern',
  severity: 'warning',
  title: 'A regular expression that never matches',
  description:
    'The pattern of a comparison, or one in a response path, is no regular expression, is too long, or holds a placeholder that stands for nothing there. It matches nothing, with a log. Correct it; in code, build a pattern of values with `new RegExp`.',
})

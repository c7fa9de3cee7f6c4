import { defineCompiledRule } from '../compiled.ts'

/** Actions that are accepted and never run. */
export const notAvailable = defineCompiledRule({
  code: 'not-available',
  severity: 'warning',
  title: 'An action that this server does not know',
  description:
    'The block is known, and its action is not: it is passed over with a log, and the variables that it would write stay as they are. Do the same with an HTTP request, or leave it out.',
})

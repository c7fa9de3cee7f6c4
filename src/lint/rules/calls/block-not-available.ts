import { defineCompiledRule } from '../compiled.ts'

/** Blocks that are accepted and never run. */
export const notAvailable = defineCompiledRule({
  code: 'not-available',
  severity: 'warning',
  title: 'A block, or an action of it, that this server does not run',
  description:
    'The block is known, but what it needs (an account at a vendor, a place to keep files) is not there: it is passed over with a log, and the variables that it would write stay as they are. Do the same with an HTTP request, or leave it out.',
})

import { defineCompiledRule } from '../compiled.ts'

/** Actions whose vendor has shut them down. */
export const retiredAction = defineCompiledRule({
  code: 'retired-action',
  severity: 'warning',
  title: 'An action that its vendor has shut down',
  description:
    'No server answers it any more: the block is passed over with a log, and the variables that it would write stay as they are. Choose the action that took its place.',
})

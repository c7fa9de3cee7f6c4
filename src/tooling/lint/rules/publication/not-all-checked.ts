import { defineRule } from '../../rule.ts'

/** Reported by the linter itself, when it stops before its end. */
export const notAllChecked = defineRule({
  code: 'not-all-checked',
  severity: 'info',
  title: 'More than is checked or listed',
  description:
    'A thousand findings of one flow are listed, or as many as fit into a megabyte; and a check over HTTP ends when it has taken as long as a turn of a preview may. What comes behind is left out until the first ones are mended.',
})

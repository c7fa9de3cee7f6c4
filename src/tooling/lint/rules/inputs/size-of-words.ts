import { describeSizes } from '../../../../engine/conditions/ordering.ts'
import { defineRule } from '../../rule.ts'

const bySize = new Set(['Greater than', 'Less than', 'Greater or equal to', 'Less or equal to'])

/** Comparisons by size with what has none. */
export const sizeOfWords = defineRule({
  code: 'size-of-words',
  severity: 'warning',
  title: 'A comparison by size with words',
  description:
    'The comparison asks which is greater, and its value is neither a number nor a date: the length of the text is compared (`six` counts as 3). Write a number, a date such as `2026-11-21`, or a placeholder that holds one.',
  checkBlock({ conditions }, { report }) {
    for (const { comparisons, pointer } of conditions) {
      for (const [index, { comparisonOperator = '', value = '' }] of comparisons.entries()) {
        const isChecked = bySize.has(comparisonOperator) && value.trim() !== '' && !value.includes('{{')
        if (!isChecked || describeSizes(value, value)?.by !== 'lengths') continue
        report({
          pointer: `${pointer}/comparisons/${index}/value`,
          message: `"${value}" is no number and no date: its length, ${value.length}, is compared.`,
        })
      }
    }
  },
})

import type { Comparison, PlacedCondition } from '../../model/comparisons.ts'
import { defineRule } from '../../rule.ts'

/** Conditions that never hold. */
export const neverTrue = defineRule({
  code: 'never-true',
  severity: 'warning',
  title: 'A condition that never holds',
  description:
    'There is nothing to compare, a comparison lacks its variable or its operator, or all of them have to hold and two exclude each other. Complete the comparison; two values of one variable need `OR`.',
  checkBlock({ conditions }, { report }) {
    for (const condition of conditions) {
      const reason = reasonOf(condition)
      if (reason) report({ pointer: condition.pointer, message: reason })
    }
  },
})

function reasonOf({ comparisons, isOr }: PlacedCondition): string | undefined {
  if (comparisons.length === 0) return 'There is nothing to compare: this never holds.'
  const incomplete = comparisons.filter(isIncomplete)
  if (isOr ? incomplete.length === comparisons.length : incomplete.length > 0) {
    return 'A comparison has no variable or no operator: this never holds.'
  }
  if (isOr) return undefined
  const equal = new Map<string, string>()
  for (const { variableId = '', comparisonOperator, value = '' } of comparisons) {
    if (comparisonOperator !== 'Equal to' || value.includes('{{')) continue
    const other = equal.get(variableId)
    if (other !== undefined && other !== value) {
      return `"${other}" and "${value}" can't both be the value: this never holds.`
    }
    equal.set(variableId, value)
  }
  return contradictionOf(comparisons)
}

const isIncomplete = ({ variableId, comparisonOperator }: Comparison) => !variableId || !comparisonOperator

/** One is set and empty at once. */
function contradictionOf(comparisons: readonly Comparison[]): string | undefined {
  const having = (operator: string) =>
    new Set(comparisons.filter((one) => one.comparisonOperator === operator).map((one) => one.variableId))
  const set = having('Is set')
  const isBoth = [...having('Is empty')].some((variableId) => set.has(variableId))
  return isBoth ? "A variable can't be set and empty at once: this never holds." : undefined
}

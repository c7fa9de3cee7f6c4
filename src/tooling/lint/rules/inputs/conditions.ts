import { describeSizes } from '../../../../engine/conditions/ordering.ts'
import type { Comparison, PlacedCondition } from '../../model/comparisons.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule, type Rule } from '../../rule.ts'

const neverTrue = defineRule({
  code: 'never-true',
  severity: 'warning',
  title: 'A condition that never holds',
  remedy: 'Write a comparison, or delete the item.',
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

const alwaysTrue = defineRule({
  code: 'always-true',
  severity: 'warning',
  title: 'A condition that always holds',
  description:
    "One of the comparisons is enough, and two of them are each other's opposite (`Is set` or `Is empty` of one variable), or a variable is asked to be set that has a value from the start and that nothing writes. Items behind it are never reached. Perhaps all comparisons should hold (`AND`).",
  checkBlock({ conditions }, { model, report }) {
    for (const condition of conditions) {
      if (!holdsAlways(condition, model)) continue
      report({
        pointer: condition.pointer,
        message: 'This always holds: what comes behind it is never reached.',
      })
    }
  },
})

function holdsAlways({ comparisons, isOr }: PlacedCondition, model: FlowModel): boolean {
  const constant = comparisons.filter(
    ({ variableId, comparisonOperator }) => comparisonOperator === 'Is set' && isConstant(variableId, model),
  )
  if (comparisons.length > 0 && (isOr ? constant.length > 0 : constant.length === comparisons.length))
    return true
  if (!isOr) return false
  const opposites: readonly (readonly [string, string])[] = [
    ['Is set', 'Is empty'],
    ['Equal to', 'Not equal'],
    ['Contains', 'Does not contain'],
  ]
  const operators = new Set(comparisons.map(({ comparisonOperator }) => comparisonOperator as string))
  return opposites.some(([one, other]) => {
    if (!operators.has(one) || !operators.has(other)) return false
    const keys = (operator: string) =>
      comparisons
        .filter(({ comparisonOperator, variableId }) => comparisonOperator === operator && variableId)
        .map(({ variableId, value = '' }) => `${variableId} ${one === 'Is set' ? '' : value}`)
    // The value of an expression may differ each time.
    const first = new Set(keys(one))
    return keys(other).some((key) => first.has(key) && !key.includes('{{='))
  })
}

function isConstant(variableId: string | undefined, { program, uses }: FlowModel): boolean {
  const declared = variableId === undefined ? undefined : program.variables.byId(variableId)
  const isFilled = typeof declared?.initial === 'string' && declared.initial !== ''
  return declared !== undefined && isFilled && !uses.isOpen && uses.of(declared.id).writes.length === 0
}

const bySize = new Set(['Greater than', 'Less than', 'Greater or equal to', 'Less or equal to'])

const sizeOfWords = defineRule({
  code: 'size-of-words',
  severity: 'warning',
  title: 'A comparison by size with words',
  remedy: 'Write a number, or compare by `Equal to`.',
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

/** Rules about comparisons that always or never hold. */
export const conditionRules: readonly Rule[] = [neverTrue, alwaysTrue, sizeOfWords]

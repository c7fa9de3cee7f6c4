import type { PlacedCondition } from '../../model/comparisons.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule } from '../../rule.ts'

/** Conditions that hold always, so that what comes behind them is never looked at. */
export const alwaysTrue = defineRule({
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

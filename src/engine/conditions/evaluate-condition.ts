import type { Condition } from '../../../schemas/condition.ts'
import type { CompileContext } from '../model/block-handler.ts'
import { type Effects, finish } from '../model/effects.ts'
import type { ConditionScope, Scope } from '../model/scope.ts'
import { findPatternProblem } from '../regex/regex.ts'
import { renderText, type TextTemplate } from '../templates/text-template.ts'
import { isFilled, type Value } from '../values/value.ts'
import { type Operator, operators } from './comparison-operators.ts'

/** A condition, ready to be decided. */
export interface CompiledCondition {
  readonly isEveryNeeded: boolean
  readonly comparisons: readonly CompiledComparison[]
}

interface CompiledComparison {
  readonly variableId: string
  readonly operator: Operator
  /** Null for a comparison with nothing at all. */
  readonly right: TextTemplate | null
}

type Comparison = NonNullable<Condition['comparisons']>[number]

/** The words that stand for no value, when they are written in the flow itself. */
const wordsForNull = new Set(['null', 'undefined'])

/** Prepares a condition. `at` is its place inside the block. A missing one never holds. */
export function compileCondition(
  condition: Condition | undefined,
  context: CompileContext,
  at: string,
): CompiledCondition {
  const { comparisons = [], logicalOperator } = condition ?? {}
  return {
    isEveryNeeded: logicalOperator !== 'OR',
    comparisons: comparisons.map((comparison, index) =>
      compileComparison(comparison, context, `${at}/comparisons/${index}`),
    ),
  }
}

function compileComparison(
  { variableId, comparisonOperator, value = '' }: Comparison,
  context: CompileContext,
  at: string,
): CompiledComparison {
  const right = wordsForNull.has(value) ? null : context.text(value, `${at}/value`)
  const isPattern = comparisonOperator?.endsWith('regex')
  const pattern = isPattern ? right?.constant : undefined
  if (pattern) context.inspect(() => reportPattern(pattern, context, `${at}/value`))
  return {
    variableId: variableId ?? '',
    operator: variableId !== undefined && comparisonOperator ? operators[comparisonOperator] : () => false,
    right,
  }
}

function reportPattern(source: string, context: CompileContext, at: string): void {
  const problem = findPatternProblem(source)
  if (!problem || problem.kind === 'beyond') return
  context.report({
    code: 'invalid-pattern',
    severity: 'warning',
    at,
    hint: `This pattern never matches: ${problem.reason}.`,
  })
}

/** Decides a condition with the present values (docs/behaviour/variables.md, "Conditions"); without comparisons it is false. */
export function evaluateCondition(
  { isEveryNeeded, comparisons }: CompiledCondition,
  scope: ConditionScope,
): boolean | Effects<boolean> {
  for (let index = 0; index < comparisons.length; index++) {
    const holds = compare(comparisons[index] as CompiledComparison, scope)
    if (typeof holds !== 'boolean') {
      return decideRest(holds, { isEveryNeeded, rest: comparisons.slice(index + 1) }, scope)
    }
    if (holds !== isEveryNeeded) return holds
  }
  return isEveryNeeded && comparisons.length > 0
}

function* decideRest(
  begun: Effects<boolean>,
  { isEveryNeeded, rest }: { readonly isEveryNeeded: boolean; readonly rest: readonly CompiledComparison[] },
  scope: ConditionScope,
): Effects<boolean> {
  if ((yield* begun) !== isEveryNeeded) return !isEveryNeeded
  for (const comparison of rest) {
    if ((yield* finish(compare(comparison, scope))) !== isEveryNeeded) return !isEveryNeeded
  }
  return isEveryNeeded
}

function compare(
  { variableId, operator, right }: CompiledComparison,
  scope: ConditionScope,
): boolean | Effects<boolean> {
  scope.spend(1)
  return operator(scope.variables.get(variableId) ?? null, comparedValue(right, scope), scope)
}

/** The value behind a lone placeholder, lists included; what is unset compares as an empty text. */
function comparedValue(right: TextTemplate | null, scope: Scope): Value {
  if (right?.lone?.kind === 'variable') {
    const value = scope.variables.read(right.lone.ref)
    return isFilled(value) || Array.isArray(value) ? value : ''
  }
  return right && renderText(right, scope)
}

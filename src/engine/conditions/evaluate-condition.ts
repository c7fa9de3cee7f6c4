import type { Condition } from '../../../schemas/condition.ts'
import type { TraceComparison } from '../../../schemas/trace.ts'
import type { CompileContext } from '../model/block-handler.ts'
import { andThen, type Effects, finish } from '../model/effects.ts'
import type { ConditionScope, Scope } from '../model/scope.ts'
import { findPatternProblem } from '../regex/regex.ts'
import { renderText, type TextTemplate } from '../templates/text-template.ts'
import type { Value } from '../values/value.ts'
import { isFilled } from '../values/value.ts'
import { type Comparator, operators } from './comparison-operators.ts'
import { describeSizes } from './ordering.ts'

/** A condition, ready to be decided. */
export interface CompiledCondition {
  readonly isEveryNeeded: boolean
  readonly comparisons: readonly CompiledComparison[]
}

interface CompiledComparison {
  readonly variableId: string
  readonly operator: Comparator
  readonly operatorName: string | undefined
  /** Its place inside the block. */
  readonly at: string
  /** Null for a comparison with nothing at all. */
  readonly right: TextTemplate | null
}

type Comparison = NonNullable<Condition['comparisons']>[number]

/** The words that stand for no value, when they are written in the flow itself. */
const wordsForNull = new Set(['null', 'undefined'])

/**
 * Prepares a condition. `at` is its place inside the block; `isShown` says that its texts are part of a response as
 * well, so that findings about them are reported there. A missing one never holds.
 */
export function compileCondition(
  condition: Condition | undefined,
  context: CompileContext,
  { at, isShown = false }: { at: string; isShown?: boolean },
): CompiledCondition {
  const { comparisons = [], logicalOperator } = condition ?? {}
  return {
    isEveryNeeded: logicalOperator !== 'OR',
    comparisons: comparisons.map((comparison, index) =>
      compileComparison(comparison, context, { at: `${at}/comparisons/${index}`, isShown }),
    ),
  }
}

function compileComparison(
  { variableId, comparisonOperator, value = '' }: Comparison,
  context: CompileContext,
  { at, isShown }: { at: string; isShown: boolean },
): CompiledComparison {
  const right = wordsForNull.has(value) ? null : context.text(value, isShown ? undefined : `${at}/value`)
  const isPattern = comparisonOperator?.endsWith('regex')
  const pattern = isPattern ? right?.constant : undefined
  if (pattern) context.inspect(() => reportPattern(pattern, context, `${at}/value`))
  return {
    variableId: variableId ?? '',
    operator: variableId !== undefined && comparisonOperator ? operators[comparisonOperator] : () => false,
    operatorName: comparisonOperator,
    at,
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

function compare(comparison: CompiledComparison, scope: ConditionScope): boolean | Effects<boolean> {
  const { variableId, operator } = comparison
  scope.spend(1)
  const left = scope.variables.get(variableId) ?? null
  const right = comparedValue(comparison.right, scope)
  const holds = operator(left, right, scope)
  if (!scope.journal) return holds
  return andThen(holds, (result) => {
    noteComparison(comparison, { left, right, holds: result }, scope)
    return result
  })
}

function noteComparison(
  { variableId, operatorName, at }: CompiledComparison,
  { left, right, holds }: Sides & { readonly holds: boolean },
  { variables, journal }: ConditionScope,
): void {
  const name = variables.table.byId(variableId)?.name
  journal?.compared({
    pointer: at,
    variableId,
    ...(name !== undefined && { variable: name }),
    operator: operatorName ?? '',
    left: left as TraceComparison['left'],
    right: right as TraceComparison['right'],
    ...(operatorName === undefined ? { by: 'presence' } : describeWay(operatorName, { left, right })),
    holds,
  })
}

/** The value behind a lone placeholder, lists included; what is unset compares as an empty text. */
function comparedValue(right: TextTemplate | null, scope: Scope): Value {
  if (right?.lone?.kind === 'variable') {
    const value = scope.variables.read(right.lone.ref)
    return isFilled(value) || Array.isArray(value) ? value : ''
  }
  return right && renderText(right, scope)
}

/** Two values that were compared. */
interface Sides {
  readonly left: Value
  readonly right: Value
}

/** Says what of two values an operator compares, for the author of the flow. */
function describeWay(operator: string, { left, right }: Sides): Pick<TraceComparison, 'by' | 'sizes'> {
  switch (operator) {
    case 'Is set':
    case 'Is empty':
      return { by: 'presence' }
    case 'Equal to':
    case 'Not equal':
      return { by: Array.isArray(left) || Array.isArray(right) ? 'lists' : 'texts' }
    case 'Contains':
    case 'Does not contain':
      return { by: Array.isArray(left) ? 'elements' : 'parts' }
    case 'Starts with':
    case 'Ends with':
      return { by: 'parts' }
    case 'Matches regex':
    case 'Does not match regex':
      return { by: 'patterns' }
    default:
      return describeSized(left, right)
  }
}

function describeSized(left: Value, right: Value): Pick<TraceComparison, 'by' | 'sizes'> {
  const described = describeSizes(left, right)
  if (!described) return { by: 'presence' }
  return { by: described.by, sizes: described.sizes.map((size) => (Number.isFinite(size) ? size : null)) }
}

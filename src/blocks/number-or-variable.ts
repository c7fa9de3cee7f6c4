import type { CompileContext } from '../engine/model/block-handler.ts'
import type { Scope } from '../engine/model/scope.ts'
import { renderPlaceholder } from '../engine/templates/text-template.ts'

/** A field that holds a number, ready to be resolved. */
export interface CompiledNumber {
  /** Whether it resolves to the same for all values of the variables. */
  readonly isConstant: boolean
  /** The number; undefined when the field says none, so that it is left out of the response. */
  render(scope: Scope): number | undefined
}

const absent: CompiledNumber = constant(undefined)

/**
 * Prepares a field that holds a number, numeric text, or exactly one placeholder (docs/behaviour/variables.md, "Number or
 * variable"). Anything else counts as absent, with a finding.
 */
export function compileNumberOrVariable(
  value: number | string | undefined,
  context: CompileContext,
  at: string,
): CompiledNumber {
  if (value === undefined || value === '') return absent
  if (typeof value === 'string') {
    const { lone } = context.text(value, at)
    if (lone) return { isConstant: false, render: (scope) => numberOf(renderPlaceholder(lone, scope)) }
  }
  const number = numberOf(value)
  if (number === undefined) {
    const hint = 'Not a number: give one, or exactly one {{placeholder}}. The field is ignored.'
    context.report({ code: 'invalid-option', severity: 'warning', at, hint })
  }
  return constant(number)
}

function constant(number: number | undefined): CompiledNumber {
  return { isConstant: true, render: () => number }
}

/** Reads the number that a text starts with; the first comma is a decimal point. */
function numberOf(value: number | string): number | undefined {
  const number = typeof value === 'number' ? value : Number.parseFloat(value.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}

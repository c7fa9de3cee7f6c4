import type { ScriptToExecute } from '../../../schemas/action.ts'
import { bindSource, readBinding } from '../javascript/bind-variables.ts'
import type { Scope } from '../model/scope.ts'
import type { VariableTable } from '../values/variables.ts'
import { parseTemplate } from './parse-template.ts'
import type { TextTemplate } from './text-template.ts'

/** Cuts code for the browser at its placeholders. */
export function compileClientScript(source: string, variables: VariableTable): TextTemplate {
  return parseTemplate(source, variables)
}

/**
 * Code for the browser with the variables that it uses as arguments (docs/behaviour/variables.md, "Code"): what a variable
 * holds never becomes code. A variable without a value is an argument without one.
 */
export function renderClientScript(
  script: TextTemplate,
  scope: Scope,
): Pick<ScriptToExecute, 'content' | 'args'> {
  const { text, bindings } = bindSource(script, scope)
  const args = [...bindings].map(([id, binding]) => {
    const value = readBinding(binding, scope.variables)
    if (value === undefined) return { id }
    return { id, value: binding.kind === 'result' ? jsonOf(value) : withoutInfinity(value) }
  })
  return { content: text, args }
}

/** A result as JSON can hold it: code may yield big integers, for which JSON has no form, also inside of a list. */
function jsonOf(result: unknown): unknown {
  if (typeof result === 'bigint') return null
  if (typeof result !== 'object' || result === null || result instanceof Date) return result
  if (Array.isArray(result)) return result.map(jsonOf)
  return Object.fromEntries(Object.entries(result).map(([name, part]) => [name, jsonOf(part)]))
}

/** A value with the text of an infinity in its place, which JSON would turn into null. */
function withoutInfinity(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

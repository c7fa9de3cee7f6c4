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
    return { id, ...(value !== undefined && { value }) }
  })
  return { content: text, args }
}

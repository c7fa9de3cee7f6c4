import type { ScriptToExecute } from '../../schemas/action.ts'
import { bindSource, readForCode } from './code/bound-source.ts'
import { compileText } from './compile-text.ts'
import type { Scope } from './scope.ts'
import type { TextTemplate } from './text-template.ts'
import type { VariableTable } from './variables.ts'

/** Cuts code for the browser at its placeholders. */
export function compileClientScript(source: string, variables: VariableTable): TextTemplate {
  return compileText(source, variables)
}

/**
 * Code for the browser with the variables that it uses as arguments (docs/behaviour.md, "Code"): what a variable
 * holds never becomes code. A variable without a value is an argument without one.
 */
export function renderClientScript(
  script: TextTemplate,
  scope: Scope,
): Pick<ScriptToExecute, 'content' | 'args'> {
  const { text, variables } = bindSource(script, scope)
  const args = [...variables].map(([id, ref]) => {
    const value = readForCode(ref, scope.variables)
    return { id, ...(value !== undefined && { value }) }
  })
  return { content: text, args }
}

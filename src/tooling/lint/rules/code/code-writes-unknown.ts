import { nearestName } from '../../model/nearest-name.ts'
import { serverCodeOf } from '../../model/server-code.ts'
import { variablesSetIn } from '../../model/set-variable-calls.ts'
import { defineRule } from '../../rule.ts'

/** Names of `setVariable` that are not declared. */
export const codeWritesUnknown = defineRule({
  code: 'code-writes-unknown',
  severity: 'warning',
  title: 'Code that sets a variable which is not declared',
  description:
    '`setVariable` takes the name of a variable, exactly as it is declared; what is set under another name is lost. Declare the variable, or correct the name.',
  checkBlock(placed, { model, report }) {
    const { variables } = model.program
    for (const { pointer, source, isScript } of serverCodeOf(placed)) {
      if (!isScript) continue
      for (const name of new Set(variablesSetIn(source).names)) {
        if (variables.byName(name).candidates.length > 0) continue
        const near = nearestName(name, variables.names())
        report({
          pointer,
          message: `No variable is named "${name}": what is set is lost.`,
          ...(near && { hint: `Did you mean "${near.name}"?` }),
        })
      }
    }
  },
})

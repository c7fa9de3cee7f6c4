import type { Finding } from '../../../engine/model/findings.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { tokensOf, valueAt } from '../../model/json-pointer.ts'
import { nearestName } from '../../model/nearest-name.ts'
import type { Report } from '../../rule.ts'
import { defineCompiledRule } from '../compiled.ts'

/** Names and ids of variables that are not declared. */
export const unknownVariable = defineCompiledRule({
  code: 'unknown-variable',
  severity: 'warning',
  title: 'A variable that is not declared',
  description:
    'A placeholder with a name that no variable has stays empty, and what is written to an id that no variable has is lost. Names count exactly: `{{name}}` and `{{ Name }}` are not `{{Name}}`. Declare the variable, or correct the name; where another name is the same but for case and blanks, it can be corrected automatically.',
  refine: suggest,
})

const placeholder = /^No variable is named "(.*)": the placeholder/s

function suggest({ hint, pointer }: Finding, { flow, program }: FlowModel): Partial<Report> {
  const [, name] = placeholder.exec(hint) ?? []
  if (name === undefined) return {}
  const near = nearestName(name, program.variables.names())
  if (near === undefined) return {}
  const text = valueAt(flow, tokensOf(pointer))
  const value = typeof text === 'string' ? text.replaceAll(`{{${name}}}`, `{{${near.name}}}`) : undefined
  const isCertain = near.isSpelling && value !== undefined && value !== text
  return {
    hint: `Did you mean "${near.name}"?`,
    ...(isCertain && {
      fix: { title: `Write {{${near.name}}}`, patch: [{ op: 'replace', path: pointer, value }] },
    }),
  }
}

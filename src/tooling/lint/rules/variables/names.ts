import type { FlowEvent } from '../../../../../schemas/flow.ts'
import type { Finding } from '../../../../engine/model/findings.ts'
import { tokensOf, valueAt } from '../../../../lib/json-pointer.ts'
import { nearestName } from '../../../../lib/nearest-name.ts'
import { declares } from '../../model/block-schema.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { useOfId } from '../../model/variable-uses.ts'
import { defineRule, type Report, type Rule, type RuleContext } from '../../rule.ts'
import { defineCompiledRule } from '../compiled.ts'

const duplicateVariableName = defineRule({
  code: 'duplicate-variable-name',
  severity: 'warning',
  title: 'Two variables of one name',
  remedy: 'Give one of the two another name.',
  description:
    'A placeholder reads the first variable of its name that has a value, and code writes the first of them; blocks that name a variable by its id may mean another. That works until both hold something. Rename one of them, or use one for both.',
  checkFlow({ model, report }) {
    const first = new Map<string, number>()
    for (const [index, { name }] of model.flow.variables.entries()) {
      const taken = first.get(name)
      if (taken === undefined) first.set(name, index)
      else
        report({
          pointer: `/variables/${index}/name`,
          message: `Another variable is named "${name}" too; the first with a value is read.`,
          related: [{ pointer: `/variables/${taken}/name`, message: 'The name is first used here.' }],
        })
    }
  },
})

const placeholders: Rule = defineCompiledRule({
  code: 'unknown-variable',
  severity: 'warning',
  title: 'A variable that is not declared',
  remedy: 'Declare it under `variables`, or name one that is declared.',
  description:
    'A placeholder with a name that no variable has stays empty; what is written to an id that no variable has is lost, and what is read from one is empty. Names count exactly: `{{name}}` and `{{ Name }}` are not `{{Name}}`. A key such as `variableId` takes the id of a variable, never its name. Declare the variable, or correct what names it; where another name is the same but for case and blanks, or a name stands in place of an id, it can be corrected automatically.',
  refine: suggestName,
})

const unknownVariable = defineRule({
  ...placeholders,
  onlyWithFindings: false,
  checkFlow(context) {
    if (context.model.program.isLegacy) return
    for (const [index, event] of context.model.flow.events.entries()) {
      for (const [key, id] of Object.entries(optionsOf(event)))
        checkId({ key, at: '', id, pointer: `/events/${index}/options/${key}` }, context)
    }
  },
  checkBlock(placed, context) {
    placeholders.checkBlock?.(placed, context)
    const schema = placed.compiled.handler?.schema
    if (!schema) return
    for (const { at, key, text } of placed.texts) {
      const pointer = placed.pointer + at
      // Editors keep ids of their own in keys that no block reads.
      if (useOfId({ key, at }) && declares(schema, tokensOf(at)))
        checkId({ key, at, id: text, pointer }, context)
    }
  },
})

const optionsOf = (event: FlowEvent): object => ('options' in event ? (event.options ?? {}) : {})

const placeholder = /^No variable is named "(.*)": the placeholder/s

function suggestName({ hint, pointer }: Finding, { flow, program }: FlowModel): Partial<Report> {
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

interface NamedId {
  readonly key: string
  readonly at: string
  readonly id: unknown
  readonly pointer: string
}

function checkId({ key, at, id, pointer }: NamedId, { model, report }: RuleContext): void {
  const { variables } = model.program
  const use = useOfId({ key, at })
  if (typeof id !== 'string' || id === '' || use === undefined || variables.byId(id)) return
  const consequence = use === 'write' ? 'what is written is lost' : 'it is always empty'
  report({
    pointer,
    message: `No variable has the id "${id}": ${consequence}.`,
    ...suggestId(id, pointer, model),
  })
}

function suggestId(id: string, pointer: string, { program: { variables } }: FlowModel): Partial<Report> {
  const [named] = variables.byName(id).candidates
  if (named) {
    return {
      hint: `That is the name of a variable: its id is "${named.id}".`,
      fix: { title: `Write "${named.id}"`, patch: [{ op: 'replace', path: pointer, value: named.id }] },
    }
  }
  const near = nearestName(
    id,
    variables.all.map((variable) => variable.id),
  )
  return near ? { hint: `Did you mean "${near.name}"?` } : {}
}

/** Rules about names and ids of variables. */
export const variableNameRules: readonly Rule[] = [duplicateVariableName, unknownVariable]

import { ChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choice-input.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule } from '../../rule.ts'

/** Comparisons with an answer that no choice gives. */
export const valueNeverOffered = defineRule({
  code: 'value-never-offered',
  severity: 'warning',
  title: 'A comparison with an answer that nobody can give',
  description:
    'The variable is written by choices only, and none of them has this value (the `value` of an item, else its label, compared exactly): a typo, a blank too many, or an item that was renamed. Correct the one or the other. Multiple choices, choices with placeholders, and variables that have a value or are written elsewhere are left alone.',
  checkBlock({ conditions, marks }, { model, report }) {
    if (!marks.decides) return
    for (const { comparisons, pointer } of conditions) {
      for (const [index, { variableId, comparisonOperator, value = '' }] of comparisons.entries()) {
        if (!variableId || comparisonOperator !== 'Equal to' || value.includes('{{')) continue
        const offered = offeredTo(variableId, model)
        if (!offered || offered.has(value) || value === '') continue
        report({
          pointer: `${pointer}/comparisons/${index}/value`,
          message: `No choice gives "${value}".`,
          ...hintFor(value, offered),
          variableId,
        })
      }
    }
  },
})

function hintFor(value: string, offered: ReadonlySet<string>): { hint?: string } {
  const near = [...offered].find((other) => other.trim().toLowerCase() === value.trim().toLowerCase())
  return near === undefined ? {} : { hint: `"${near}" is one.` }
}

/** The answers that a variable can hold; undefined where that is not known. */
function offeredTo(variableId: string, model: FlowModel): ReadonlySet<string> | undefined {
  const { answers } = model
  if (!answers.has(variableId)) answers.set(variableId, collectAnswers(variableId, model))
  return answers.get(variableId)
}

function collectAnswers(variableId: string, { program, uses }: FlowModel): Set<string> | undefined {
  const declared = program.variables.byId(variableId)
  const { writes } = uses.of(variableId)
  if (!declared || declared.initial !== null || writes.length === 0 || uses.isOpen) return undefined
  const offered = new Set<string>()
  for (const { placed } of writes) {
    const block = placed?.block
    if (!block || !isOf(block, ChoiceInputBlock)) return undefined
    const { isMultipleChoice, dynamicVariableId } = block.options ?? {}
    if (isMultipleChoice === true || dynamicVariableId) return undefined
    for (const { content = '', value } of block.items) {
      const given = value || content
      if (given.includes('{{')) return undefined
      offered.add(given)
    }
  }
  return offered
}

import { ChoiceInput, ChoiceInputBlock } from '../../../schemas/blocks/inputs/choices.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { andThen, type Effects } from '../../engine/model/effects.ts'
import { isHeld, toValue, type Value } from '../../engine/values/value.ts'
import { jsonIn } from '../../lib/json-bounds.ts'
import { validateChoice } from './choices/choose-many.ts'
import type { Choice } from './choices/choose-one.ts'
import { type CompiledItems, compileItems, showItems, visibleItems } from './choices/visible-items.ts'

interface CompiledChoiceInput extends CompiledItems<ChoiceInput> {
  readonly variableId: string | undefined
  readonly dynamicVariableId: string | undefined
  readonly isMultiple: boolean
}

const condition = {
  at: '/displayCondition',
  of: (item: ChoiceInputBlock['items'][number]) => item.displayCondition,
}

/** Asks for one or some of its items, or of the elements of a variable (docs/behaviour/inputs.md, "Choice input"). */
export const choiceInput = defineBlock<ChoiceInputBlock, CompiledChoiceInput>({
  schema: ChoiceInputBlock,
  kind: 'input',
  compile: (block, context) => ({
    ...compileItems<ChoiceInput, ChoiceInputBlock>(block, { schema: ChoiceInput, condition }, context),
    variableId: block.options?.variableId,
    dynamicVariableId: block.options?.dynamicVariableId,
    isMultiple: block.options?.isMultipleChoice === true,
  }),
  run: (compiled, context) => {
    const input = context.render(compiled.template)
    return andThen(shownChoices(input.value.items, compiled, context), (shown) => showItems(input, shown))
  },
  reply: (compiled, reply, context) => {
    const { items } = context.render(compiled.template).value
    const { isMultiple } = compiled
    return andThen(shownChoices(items, compiled, context), (shown) =>
      validateChoice(
        reply,
        { isMultiple, shown: shown.map(toChoice), defined: items.map(toChoice) },
        context,
      ),
    )
  },
  inputName: 'buttons',
  answerVariableId: ({ variableId }) => variableId,
  itemEdgeIds: ({ items }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  showsChoices: true,
})

function shownChoices(
  defined: ChoiceInput['items'],
  compiled: CompiledChoiceInput,
  context: RunContext,
): ChoiceInput['items'] | Effects<ChoiceInput['items']> {
  const { dynamicVariableId } = compiled
  const value = dynamicVariableId === undefined ? undefined : context.variables.get(dynamicVariableId)
  if (!isHeld(value)) return visibleItems(defined, compiled, context)
  const labels = new Set(elementsOf(value).filter(Boolean) as string[])
  return [...labels].map((content, index) => ({ id: `choice${index}`, content }))
}

function toChoice({ id, content, value, outgoingEdgeId }: ChoiceInput['items'][number]): Choice {
  return { id, title: content, value, outgoingEdgeId }
}

/** A text that is a list in JSON counts as one; its elements become texts like those of any list. */
function elementsOf(value: Exclude<Value, null>): readonly (string | null)[] {
  if (typeof value !== 'string') return value
  const parsed = value.trimStart().startsWith('[') ? toValue(jsonIn(value)) : value
  return Array.isArray(parsed) ? parsed : [value]
}

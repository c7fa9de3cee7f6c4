import { PictureChoiceInput, PictureChoiceInputBlock } from '../../../schemas/blocks/inputs/choices.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { andThen, type Effects } from '../../engine/model/effects.ts'
import { safeAddress } from '../../engine/templates/url-policy.ts'
import { isHeld } from '../../engine/values/value.ts'
import { validateChoice } from './choices/choose-many.ts'
import { type CompiledItems, compileItems, showItems, visibleItems } from './choices/visible-items.ts'

type DynamicItems = NonNullable<NonNullable<PictureChoiceInputBlock['options']>['dynamicItems']>

interface CompiledPictureChoiceInput extends CompiledItems<PictureChoiceInput> {
  readonly variableId: string | undefined
  /** Undefined unless the pictures come from a variable. */
  readonly dynamicItems: DynamicItems | undefined
  readonly isMultiple: boolean
}

const condition = {
  at: '/displayCondition',
  of: (item: PictureChoiceInputBlock['items'][number]) => item.displayCondition,
}

/** Asks for one or some of its pictures, or of those of a variable (docs/behaviour/inputs.md, "Picture choice input"). */
export const pictureChoiceInput = defineBlock<PictureChoiceInputBlock, CompiledPictureChoiceInput>({
  schema: PictureChoiceInputBlock,
  kind: 'input',
  compile: (block, context) => ({
    ...compileItems<PictureChoiceInput, PictureChoiceInputBlock>(
      block,
      { schema: PictureChoiceInput, condition },
      context,
    ),
    variableId: block.options?.variableId,
    dynamicItems: block.options?.dynamicItems?.isEnabled ? block.options.dynamicItems : undefined,
    isMultiple: block.options?.isMultipleChoice === true,
  }),
  run: (compiled, context) => {
    const input = context.render(compiled.template)
    return andThen(shownPictures(input.value.items, compiled, context), (shown) => showItems(input, shown))
  },
  reply: (compiled, reply, context) => {
    const defined = context.render(compiled.template).value.items
    const { isMultiple } = compiled
    return andThen(shownPictures(defined, compiled, context), (shown) =>
      validateChoice(reply, { isMultiple, shown, defined }, context),
    )
  },
  inputName: 'picture choice',
  answerVariableId: ({ variableId }) => variableId,
  itemEdgeIds: ({ items }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  showsChoices: true,
})

function shownPictures(
  defined: PictureChoiceInput['items'],
  compiled: CompiledPictureChoiceInput,
  context: RunContext,
): PictureChoiceInput['items'] | Effects<PictureChoiceInput['items']> {
  const { pictureSrcsVariableId, titlesVariableId, descriptionsVariableId } = compiled.dynamicItems ?? {}
  const pictures = elementsOf(pictureSrcsVariableId, context)
  if (pictures === undefined) return visibleItems(defined, compiled, context)
  const titles = elementsOf(titlesVariableId, context) ?? []
  const descriptions = elementsOf(descriptionsVariableId, context) ?? []
  const items = pictures.flatMap((pictureSrc, index) =>
    pictureSrc === null
      ? []
      : {
          pictureSrc: safeAddress(pictureSrc, 'media', context),
          title: titles[index] ?? '',
          description: descriptions[index] ?? '',
        },
  )
  return items.map((item, index) => ({ id: String(index), ...item }))
}

/** The elements of a list, or the one text; undefined when there is no such variable or it is unset. */
function elementsOf(variableId: string | undefined, { variables }: RunContext) {
  const value = variableId === undefined ? undefined : variables.get(variableId)
  if (!isHeld(value)) return undefined
  return typeof value === 'string' ? [value] : value
}

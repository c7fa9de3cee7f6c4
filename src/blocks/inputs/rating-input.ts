import { RatingInput, type RatingInputBlock } from '../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { type CompiledNumber, compileNumberOrVariable } from '../number-or-variable.ts'
import { compileComputedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { validateText } from './lib/reply-result.ts'

interface CompiledRatingInput extends RenderedInput {
  readonly isIcons: boolean
  readonly startsAt: CompiledNumber
  readonly length: number
}

/** Asks for one of the ratings that clients show, and takes no other (docs/behaviour/inputs.md, "Rating input"). */
export const ratingInput = defineBlock<RatingInputBlock, CompiledRatingInput>({
  types: ['rating input'],
  kind: 'input',
  inputName: 'rating',
  compile: (block, context) => {
    const startsAt = compileNumberOrVariable(block.options?.startsAt, context, '/options/startsAt')
    return {
      ...compileComputedInput(block, { schema: RatingInput, computed: { startsAt } }, context),
      isIcons: block.options?.buttonType === 'Icons',
      startsAt,
      length: block.options?.length || 10,
    }
  },
  run: renderInput,
  reply: ({ isIcons, startsAt, length }, reply, context) => {
    const lowest = isIcons ? 1 : (startsAt.render(context) ?? 0)
    return validateText(reply, (text) => {
      const rating = Number(text)
      const isShown = rating >= lowest && rating <= length && Number.isInteger(rating - lowest)
      if (!isShown) return undefined
      // An empty text counts as the zero of a scale that has one, and is saved as no answer.
      return text.trim() && String(rating)
    })
  },
  answerVariableId: ({ variableId }) => variableId,
  marks: { usualAnswers: ['1', '5'] },
})

import {
  NumberInput,
  NumberInputBlock,
  RatingInput,
  RatingInputBlock,
} from '../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { type CompileContext, defineBlock } from '../../engine/model/block-handler.ts'
import { type CompiledNumber, compileNumberOrVariable } from '../number-or-variable.ts'
import { compileComputedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { refuse, validateText } from './lib/reply-result.ts'

interface CompiledNumberInput extends RenderedInput {
  readonly min: CompiledNumber
  readonly max: CompiledNumber
}

/** Asks for a number between bounds, both included (docs/behaviour/inputs.md, "Number input"). */
export const numberInput = defineBlock<NumberInputBlock, CompiledNumberInput>({
  schema: NumberInputBlock,
  kind: 'input',
  inputName: 'number',
  compile: (block, context) => {
    const min = compileOption(block, 'min', context)
    const max = compileOption(block, 'max', context)
    const step = compileOption(block, 'step', context)
    return {
      ...compileComputedInput(block, { schema: NumberInput, computed: { min, max, step } }, context),
      min,
      max,
    }
  },
  run: renderInput,
  reply: ({ min, max }, reply, context) =>
    validateText(reply, (text) => {
      const read = readNumber(text)
      if (!read) return refuse('it is no number')
      const [least, most] = [min.render(context), max.render(context)]
      if (least !== undefined && read.value < least) return refuse(`it is below the minimum, ${least}`)
      if (most !== undefined && read.value > most) return refuse(`it is above the maximum, ${most}`)
      return read.content
    }),
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['1'] },
})

function compileOption(block: NumberInputBlock, key: 'min' | 'max' | 'step', context: CompileContext) {
  return compileNumberOrVariable(block.options?.[key], context, `/options/${key}`)
}

/** Thousands that cannot be decimals: followed by the other separator, or more than one group of three. */
const thousands =
  /^\s*[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}(?!\d)|(?:\.\d{3})+(?=,\d)|(?:\.\d{3}){2,}(?!\d))/

/** A number that starts with a zero may be a code of some kind: its digits are kept as they were typed. */
const leadingZero = /^0\d*(?:\.\d*)?(?:e[+-]?\d+)?/i

/** Reads the number that a text starts with; what follows, a unit say, is ignored. */
function readNumber(text: string): { readonly value: number; readonly content: string } | undefined {
  const plain = text.replace(thousands, (grouped) => grouped.replace(/[.,]/g, '')).replace(',', '.')
  const value = Number.parseFloat(plain)
  if (Number.isNaN(value)) return undefined
  return { value, content: leadingZero.exec(plain)?.[0] ?? String(value) }
}

interface CompiledRatingInput extends RenderedInput {
  readonly isIcons: boolean
  readonly startsAt: CompiledNumber
  readonly length: number
}

/** Asks for one of the ratings that clients show, and takes no other (docs/behaviour/inputs.md, "Rating input"). */
export const ratingInput = defineBlock<RatingInputBlock, CompiledRatingInput>({
  schema: RatingInputBlock,
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
      if (!isShown) return refuse(`it is no rating from ${lowest} to ${length}`)
      // An empty text counts as the zero of a scale that has one, and is saved as no answer.
      return text.trim() && String(rating)
    })
  },
  answerVariableId: ({ variableId }) => variableId,
  marks: { usualAnswers: ['1', '5'] },
})

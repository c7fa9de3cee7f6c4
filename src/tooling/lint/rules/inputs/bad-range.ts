import { DateInputBlock } from '../../../../../schemas/blocks/inputs/date-input.ts'
import { NumberInputBlock } from '../../../../../schemas/blocks/inputs/number-input.ts'
import { RatingInputBlock } from '../../../../../schemas/blocks/inputs/rating-input.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { defineRule } from '../../rule.ts'

/** Ranges that nothing lies in. */
export const badRange = defineRule({
  code: 'bad-range',
  severity: 'error',
  title: 'A range that nothing lies in',
  description:
    'The smallest value is larger than the largest, or steps have no width: every answer is refused, or the field of the client can not be used. Swap them, or leave one out. Values that hold placeholders are not checked.',
  blockTypes: [NumberInputBlock, RatingInputBlock, DateInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    const at = `${pointer}/options`
    if (isOf(block, NumberInputBlock)) {
      const { min, max, step } = block.options ?? {}
      const [low, high] = [numberIn(min), numberIn(max)]
      if (low !== undefined && high !== undefined && low > high) {
        report({ pointer: `${at}/min`, message: `No number is at least ${low} and at most ${high}.` })
      }
      const width = numberIn(step)
      if (width !== undefined && width <= 0)
        report({ pointer: `${at}/step`, message: 'A step has to be larger than 0.' })
    }
    if (isOf(block, RatingInputBlock)) {
      const { length = 10, startsAt } = block.options ?? {}
      const from = numberIn(startsAt) ?? (block.options?.buttonType === 'Icons' ? 1 : 0)
      if (length < from)
        report({ pointer: `${at}/length`, message: `No rating is at least ${from} and at most ${length}.` })
    }
    if (isOf(block, DateInputBlock)) {
      const { min, max } = block.options ?? {}
      if (isDay(min) && isDay(max) && min > max) {
        report({ pointer: `${at}/min`, message: `No day lies between ${min} and ${max}.` })
      }
    }
  },
})

function numberIn(value: number | string | undefined): number | undefined {
  if (typeof value === 'number') return value
  return value !== undefined && /^\s*-?\d+(?:[.,]\d+)?\s*$/.test(value)
    ? Number(value.replace(',', '.'))
    : undefined
}

/** As the fields of clients write days; texts in this form are ordered as the days are. */
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/.test(value)

import { defineRule } from '../../rule.ts'

/** Ranges that nothing lies in. */
export const badRange = defineRule({
  code: 'bad-range',
  severity: 'error',
  title: 'A range that nothing lies in',
  description:
    'The smallest value is larger than the largest, or steps have no width: every answer is refused, or the field of the client can not be used. Swap them, or leave one out. Values that hold placeholders are not checked.',
  blockTypes: ['number input', 'rating input', 'date input'],
  checkBlock({ block, pointer }, { report }) {
    const at = `${pointer}/options`
    if (block.type === 'number input') {
      const { min, max, step } = block.options ?? {}
      const [low, high] = [numberIn(min), numberIn(max)]
      if (low !== undefined && high !== undefined && low > high) {
        report({ pointer: `${at}/min`, message: `No number is at least ${low} and at most ${high}.` })
      }
      const width = numberIn(step)
      if (width !== undefined && width <= 0)
        report({ pointer: `${at}/step`, message: 'A step has to be larger than 0.' })
    }
    if (block.type === 'rating input') {
      const { length = 10, startsAt } = block.options ?? {}
      const from = numberIn(startsAt) ?? (block.options?.buttonType === 'Icons' ? 1 : 0)
      if (length < from)
        report({ pointer: `${at}/length`, message: `No rating is at least ${from} and at most ${length}.` })
    }
    if (block.type === 'date input') {
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

import {
  DateInputBlock,
  NumberInputBlock,
  RatingInputBlock,
} from '../../../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { originFindings } from '../../../../engine/compile/allowed-origins.ts'
import { findPatternProblem } from '../../../../engine/regex/regex.ts'
import { defineRule, type Rule } from '../../rule.ts'
import { defineCompiledRule } from '../compiled.ts'

const reported: Rule = defineCompiledRule({
  code: 'invalid-option',
  severity: 'warning',
  title: 'An option that does not work as it is written',
  description:
    'A date format that is none, a file type that no upload can have, a number that is no number, an origin that no browser sends: the option is ignored, or the block refuses what it should take. The message says what would work.',
})

const invalidOption = defineRule({
  ...reported,
  checkFlow({ model, report }) {
    for (const { pointer, severity, hint: message } of originFindings(model.flow.settings)) {
      report({ pointer, severity, message })
    }
  },
})

const invalidPattern = defineCompiledRule({
  code: 'invalid-pattern',
  severity: 'warning',
  title: 'A regular expression that never matches',
  remedy: 'Close what is open, or put a backslash before a sign that stands for itself: /\\(/.',
  description:
    'The pattern of a comparison, or one in a response path, is no regular expression, is too long, or holds a placeholder that stands for nothing there. It matches nothing, with a log. Correct it; in code, build a pattern of values with `new RegExp`.',
})

/** Patterns of one block that are looked at: reading one takes time. */
const mostPatterns = 20

const slowPattern = defineRule({
  code: 'slow-pattern',
  severity: 'info',
  title: 'A regular expression that linear time is not enough for',
  description:
    'Look-around, back-references and a few other things can take any time, so that such a pattern is looked for in the sandbox, which costs more and is cut off. Most patterns can be written without: two comparisons in place of a look-ahead, for one.',
  checkBlock({ conditions }, { report }) {
    let left = mostPatterns
    for (const { comparisons, pointer } of conditions) {
      for (const [index, { comparisonOperator, value }] of comparisons.entries()) {
        if (!comparisonOperator?.endsWith('regex') || !value || value.includes('{{')) continue
        if (left-- <= 0) return
        if (findPatternProblem(value)?.kind !== 'beyond') continue
        const at = `${pointer}/comparisons/${index}/value`
        report({ pointer: at, message: 'This pattern can only be looked for in the sandbox.' })
      }
    }
  },
})

const badRange = defineRule({
  code: 'bad-range',
  severity: 'error',
  title: 'A range that nothing lies in',
  remedy: 'Swap the two, or leave one out.',
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

/** Rules about options that no answer can satisfy. */
export const inputOptionRules: readonly Rule[] = [invalidOption, invalidPattern, slowPattern, badRange]

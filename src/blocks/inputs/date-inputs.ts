import {
  DateInput,
  DateInputBlock,
  TimeInput,
  TimeInputBlock,
} from '../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { ask } from '../../engine/model/effects.ts'
import type { ReplyResult } from '../../engine/model/step.ts'
import { renderText, type TextTemplate } from '../../engine/templates/text-template.ts'
import { compileDateFormat, type DateFormat, writeDate } from './dates/date-format.ts'
import { findDates, isInBounds } from './dates/natural-date.ts'
import {
  type ComputedOption,
  compileComputedInput,
  compileRenderedInput,
  type RenderedInput,
  renderInput,
  writtenText,
} from './lib/render-input.ts'
import { notTyped, refuse, validateText } from './lib/reply-result.ts'

interface CompiledDateInput extends RenderedInput {
  readonly min: ComputedOption
  readonly max: ComputedOption
  readonly hasTime: boolean
  readonly isRange: boolean
  readonly format: DateFormat
  readonly separator: TextTemplate
}

/** Asks for a date or a range, and saves it in the block's format (docs/behaviour/inputs.md, "Date input"). */
export const dateInput = defineBlock<DateInputBlock, CompiledDateInput>({
  schema: DateInputBlock,
  kind: 'input',
  inputName: 'date',
  compile: (block, context) => {
    const { hasTime = false, isRange = false, format, labels } = block.options ?? {}
    const min = compileBound(block, 'min', context)
    const max = compileBound(block, 'max', context)
    return {
      ...compileComputedInput(block, { schema: DateInput, computed: { min, max } }, context),
      min,
      max,
      hasTime,
      isRange,
      format: compileDateFormat(format, hasTime ? 'dd/MM/yyyy HH:mm' : 'dd/MM/yyyy', context),
      separator: writtenText(labels?.separator, context),
    }
  },
  run: renderInput,
  *reply(compiled, reply, context) {
    if (reply?.type !== 'text') return notTyped
    const now = yield* ask({ type: 'now' })
    return validateText(reply, (text) => readAnswer(compiled, { text, now }, context))
  },
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['2026-12-24'] },
})

/** A bound is shown in the form that a browser's date field takes, as far as it can be brought into it. */
function compileBound(
  { options }: DateInputBlock,
  key: 'min' | 'max',
  context: CompileContext,
): ComputedOption {
  const text = options?.[key]
  const template = context.text(text ?? '', `/options/${key}`)
  return {
    isConstant: template.constant !== undefined,
    render: (scope) => (text ? asFieldValue(renderText(template, scope), options?.hasTime) : undefined),
  }
}

function asFieldValue(text: string, hasTime = false): string {
  const [, date, time] = /(\d{4}-\d\d-\d\d)(T\d\d:\d\d)/.exec(text) ?? []
  if (date === undefined || time === undefined) return text
  return hasTime ? date + time : date
}

function readAnswer(
  compiled: CompiledDateInput,
  { text, now }: { text: string; now: number },
  context: RunContext,
): string | ReplyResult {
  const { min, max, hasTime, isRange } = compiled
  const format = compiled.format.render(context)
  const reading = { now, isDayFirst: format.startsWith('dd') }
  const found = findDates(text, reading)
  if (!found) return refuse('it has no date')
  if (isRange && !found.end) return refuse('it has no two dates')
  const moments = isRange && found.end ? [found.start, found.end] : [found.start]
  const bounds = { min: min.render(context), max: max.render(context), hasTime, reading }
  if (!moments.every(({ at }) => isInBounds(at, bounds)))
    return refuse(`it is not within ${bounds.min ?? 'any past'} and ${bounds.max ?? 'any future'}`)
  const separator = context.text(compiled.separator) || 'to'
  return moments.map(({ at }) => writeDate(at, format)).join(` ${separator} `)
}

interface CompiledTimeInput extends RenderedInput {
  readonly format: DateFormat
}

/** Asks for a time of the day, and saves it in the block's format (docs/behaviour/inputs.md, "Time input"). */
export const timeInput = defineBlock<TimeInputBlock, CompiledTimeInput>({
  schema: TimeInputBlock,
  kind: 'input',
  inputName: 'time',
  compile: (block, context) => ({
    ...compileRenderedInput(block, TimeInput, context),
    format: compileDateFormat(block.options?.format, 'HH:mm', context),
  }),
  run: renderInput,
  *reply({ format }, reply, context) {
    if (reply?.type !== 'text') return notTyped
    const now = yield* ask({ type: 'now' })
    return validateText(reply, (text) => {
      const found = findDates(text, { now, isDayFirst: false })
      return found ? writeDate(found.start.at, format.render(context)) : refuse('it has no time')
    })
  },
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['10:30'] },
})

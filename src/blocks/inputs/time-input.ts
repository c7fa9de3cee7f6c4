import { TimeInput, type TimeInputBlock } from '../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { ask } from '../../engine/model/effects.ts'
import { compileDateFormat, type DateFormat, writeDate } from './dates/date-format.ts'
import { findDates } from './dates/natural-date.ts'
import { compileRenderedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { refusedReply, validateText } from './lib/reply-result.ts'

interface CompiledTimeInput extends RenderedInput {
  readonly format: DateFormat
}

/** Asks for a time of the day, and saves it in the block's format (docs/behaviour/inputs.md, "Time input"). */
export const timeInput = defineBlock<TimeInputBlock, CompiledTimeInput>({
  types: ['time input'],
  kind: 'input',
  inputName: 'time',
  compile: (block, context) => ({
    ...compileRenderedInput(block, TimeInput, context),
    format: compileDateFormat(block.options?.format, 'HH:mm', context),
  }),
  run: renderInput,
  *reply({ format }, reply, context) {
    if (reply?.type !== 'text') return refusedReply
    const now = yield* ask({ type: 'now' })
    return validateText(reply, (text) => {
      const found = findDates(text, { now, isDayFirst: false })
      return found && writeDate(found.start.at, format.render(context))
    })
  },
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['10:30'] },
})

import type { Static } from '@sinclair/typebox'
import { PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputDefinition, InputResponse } from './common.ts'

const Bound = Type.String({
  description: 'A date, or a date with time; placeholders allowed. A bound without time is the whole day.',
  examples: ['2026-11-21', '2026-11-21T09:17'],
})

const options = {
  ...answerOption,
  labels: PartialObject({
    button: ButtonLabel,
    from: Type.String({ description: 'Before the first date of a range' }),
    to: Type.String({ description: 'Before the second date of a range' }),
    separator: Type.String({ description: 'Between the dates of a saved range, `to` when there is none' }),
  }),
  hasTime: Type.Boolean({ description: 'Off unless true' }),
  isRange: Type.Boolean({ description: 'Off unless true' }),
  format: Type.String({
    description:
      'How the answer is saved, in date-fns tokens. `dd/MM/yyyy` when there is none, with ` HH:mm` for times.',
    examples: ['yyyy-MM-dd'],
  }),
  min: Bound,
  max: Bound,
}

/** Asks for a date, or for a range of dates. */
export const DateInputBlock = InputDefinition('date input', options)
export type DateInputBlock = Static<typeof DateInputBlock>

/** A date input as it is shown. */
export const DateInput = InputResponse('date input', options)
export type DateInput = Static<typeof DateInput>

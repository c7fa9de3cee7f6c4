import type { Static } from '@sinclair/typebox'
import { PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputDefinition, InputResponse } from './common.ts'

const options = {
  ...answerOption,
  labels: PartialObject({ button: ButtonLabel }),
  format: Type.String({
    description: 'How the answer is saved, in date-fns tokens; `HH:mm` when there is none',
    examples: ['hh:mm a'],
  }),
}

/** Asks for a time of the day. */
export const TimeInputBlock = InputDefinition('time input', options)
export type TimeInputBlock = Static<typeof TimeInputBlock>

/** A time input as it is shown. */
export const TimeInput = InputResponse('time input', options)
export type TimeInput = Static<typeof TimeInput>

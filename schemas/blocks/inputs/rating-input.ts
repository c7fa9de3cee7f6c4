import type { Static } from '@sinclair/typebox'
import { NumberOrVariable, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputDefinition, InputResponse } from './common.ts'

const display = {
  ...answerOption,
  labels: PartialObject({
    left: Type.String({ description: 'Beside the lowest rating' }),
    right: Type.String({ description: 'Beside the highest rating' }),
    button: ButtonLabel,
  }),
  buttonType: StringEnum(['Icons', 'Numbers'], { description: '`Numbers` when there is none' }),
  length: Type.Number({ description: 'The highest rating, 10 when there is none' }),
  customIcon: PartialObject({
    isEnabled: Type.Boolean({ description: 'Off unless true' }),
    svg: Type.String({ description: 'Markup of the icon; placeholders allowed' }),
  }),
  isOneClickSubmitEnabled: Type.Boolean({
    description: 'The client sends the rating as soon as one is chosen',
  }),
}

/** Asks for a rating. */
export const RatingInputBlock = InputDefinition('rating input', { ...display, startsAt: NumberOrVariable })
export type RatingInputBlock = Static<typeof RatingInputBlock>

/** A rating input as it is shown. */
export const RatingInput = InputResponse('rating input', {
  ...display,
  startsAt: Type.Number({
    description: 'The lowest rating of `Numbers`, 0 when there is none; icons start at 1',
  }),
})
export type RatingInput = Static<typeof RatingInput>

import type { Static } from '@sinclair/typebox'
import { blockOf, NumberOrVariable, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, FieldLabels, InputResponse } from './common.ts'

const units = [
  'acre',
  'bit',
  'byte',
  'celsius',
  'centimeter',
  'day',
  'degree',
  'fahrenheit',
  'fluid-ounce',
  'foot',
  'gallon',
  'gigabit',
  'gigabyte',
  'gram',
  'hectare',
  'hour',
  'inch',
  'kilobit',
  'kilobyte',
  'kilogram',
  'kilometer',
  'liter',
  'megabit',
  'megabyte',
  'meter',
  'microsecond',
  'mile',
  'mile-scandinavian',
  'milliliter',
  'millimeter',
  'millisecond',
  'minute',
  'month',
  'nanosecond',
  'ounce',
  'percent',
  'petabyte',
  'pound',
  'second',
  'stone',
  'terabit',
  'terabyte',
  'week',
  'yard',
  'year',
] as const

const numberDisplay = {
  ...answerOption,
  labels: FieldLabels,
  style: StringEnum(['decimal', 'currency', 'percent', 'unit'], {
    description: 'Format in which the client shows the number; the reply is always a plain number',
  }),
  locale: Type.String({
    pattern: '^[a-z]{2}(-[A-Z]{2})?$',
    description: "The client takes the browser's language when there is none",
    examples: ['fr', 'en-GB'],
  }),
  currency: Type.String({ description: 'ISO 4217 code, for the style `currency`', examples: ['EUR'] }),
  unit: StringEnum(units, { description: 'For the style `unit`' }),
}

/** Asks for a number. */
export const NumberInputBlock = blockOf('number input', {
  ...numberDisplay,
  min: NumberOrVariable,
  max: NumberOrVariable,
  step: NumberOrVariable,
})
export type NumberInputBlock = Static<typeof NumberInputBlock>

/** A number input as it is shown. */
export const NumberInput = InputResponse('number input', {
  ...numberDisplay,
  min: Type.Number({ description: 'The smallest number that is accepted' }),
  max: Type.Number({ description: 'The largest number that is accepted' }),
  step: Type.Number({ description: 'A hint for the field; replies in between are accepted' }),
})

const Bound = Type.String({
  description: 'A date, or a date with time; placeholders allowed. A bound without time is the whole day.',
  examples: ['2026-11-21', '2026-11-21T09:17'],
})

const dateOptions = {
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
export const DateInputBlock = blockOf('date input', dateOptions)
export type DateInputBlock = Static<typeof DateInputBlock>

/** A date input as it is shown. */
export const DateInput = InputResponse('date input', dateOptions)

const timeOptions = {
  ...answerOption,
  labels: PartialObject({ button: ButtonLabel }),
  format: Type.String({
    description: 'How the answer is saved, in date-fns tokens; `HH:mm` when there is none',
    examples: ['hh:mm a'],
  }),
}

/** Asks for a time of the day. */
export const TimeInputBlock = blockOf('time input', timeOptions)
export type TimeInputBlock = Static<typeof TimeInputBlock>

/** A time input as it is shown. */
export const TimeInput = InputResponse('time input', timeOptions)

const ratingDisplay = {
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
export const RatingInputBlock = blockOf('rating input', { ...ratingDisplay, startsAt: NumberOrVariable })
export type RatingInputBlock = Static<typeof RatingInputBlock>

/** A rating input as it is shown. */
export const RatingInput = InputResponse('rating input', {
  ...ratingDisplay,
  startsAt: Type.Number({
    description: 'The lowest rating of `Numbers`, 0 when there is none; icons start at 1',
  }),
})

/** All of them. */
export const numberInputBlocks = [NumberInputBlock, DateInputBlock, TimeInputBlock, RatingInputBlock] as const

/** The same as they are shown. */
export const numberInputs = [NumberInput, DateInput, TimeInput, RatingInput] as const

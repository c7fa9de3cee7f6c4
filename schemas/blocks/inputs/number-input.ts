import type { Static } from '@sinclair/typebox'
import { NumberOrVariable, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, FieldLabels, InputDefinition, InputResponse } from './common.ts'

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

const display = {
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
export const NumberInputBlock = InputDefinition('number input', {
  ...display,
  min: NumberOrVariable,
  max: NumberOrVariable,
  step: NumberOrVariable,
})
export type NumberInputBlock = Static<typeof NumberInputBlock>

/** A number input as it is shown. */
export const NumberInput = InputResponse('number input', {
  ...display,
  min: Type.Number({ description: 'The smallest number that is accepted' }),
  max: Type.Number({ description: 'The largest number that is accepted' }),
  step: Type.Number({ description: 'A hint for the field; replies in between are accepted' }),
})
export type NumberInput = Static<typeof NumberInput>

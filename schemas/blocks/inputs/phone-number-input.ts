import type { Static } from '@sinclair/typebox'
import { Type } from '../../type.ts'
import { answerOption, FieldLabels, InputDefinition, InputResponse, RetryMessage } from './common.ts'

const options = {
  ...answerOption,
  labels: FieldLabels,
  defaultCountryCode: Type.String({
    description: 'The country of numbers without a dial code, ISO 3166-1; unknown codes count as none',
    examples: ['FR'],
  }),
  retryMessageContent: RetryMessage,
}

/** Asks for a phone number. */
export const PhoneNumberInputBlock = InputDefinition('phone number input', options)
export type PhoneNumberInputBlock = Static<typeof PhoneNumberInputBlock>

/** A phone number input as it is shown. */
export const PhoneNumberInput = InputResponse('phone number input', options)
export type PhoneNumberInput = Static<typeof PhoneNumberInput>

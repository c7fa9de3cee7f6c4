import type { Static } from '@sinclair/typebox'
import { blockOf, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, FieldLabels, InputResponse, RetryMessage, Visibility } from './common.ts'

const Upload = PartialObject({
  isEnabled: Type.Boolean({ description: 'Off unless true' }),
  saveVariableId: Type.Unsafe<string>({ ...Id, description: 'The variable that receives the addresses' }),
  visibility: Visibility,
})

const textOptions = {
  ...answerOption,
  labels: FieldLabels,
  isLong: Type.Boolean({ description: 'A field of several lines' }),
  inputMode: StringEnum(['text', 'decimal', 'numeric', 'tel', 'search', 'email', 'url'], {
    description: 'A hint for virtual keyboards; any text is accepted all the same',
  }),
  audioClip: Upload,
  attachments: Upload,
}

/** Asks for any text. */
export const TextInputBlock = blockOf('text input', textOptions)
export type TextInputBlock = Static<typeof TextInputBlock>

/** A text input as it is shown. */
export const TextInput = InputResponse('text input', textOptions)

const addressOptions = { ...answerOption, labels: FieldLabels, retryMessageContent: RetryMessage }

/** Asks for an e-mail address. */
export const EmailInputBlock = blockOf('email input', addressOptions)
export type EmailInputBlock = Static<typeof EmailInputBlock>

/** An e-mail input as it is shown. */
export const EmailInput = InputResponse('email input', addressOptions)

/** Asks for a web address. */
export const UrlInputBlock = blockOf('url input', addressOptions)
export type UrlInputBlock = Static<typeof UrlInputBlock>

/** A web address input as it is shown. */
export const UrlInput = InputResponse('url input', addressOptions)

const phoneOptions = {
  ...answerOption,
  labels: FieldLabels,
  defaultCountryCode: Type.String({
    description: 'The country of numbers without a dial code, ISO 3166-1; unknown codes count as none',
    examples: ['FR'],
  }),
  retryMessageContent: RetryMessage,
}

/** Asks for a phone number. */
export const PhoneNumberInputBlock = blockOf('phone number input', phoneOptions)
export type PhoneNumberInputBlock = Static<typeof PhoneNumberInputBlock>

/** A phone number input as it is shown. */
export const PhoneNumberInput = InputResponse('phone number input', phoneOptions)

/** All of them. */
export const textInputBlocks = [
  TextInputBlock,
  EmailInputBlock,
  UrlInputBlock,
  PhoneNumberInputBlock,
] as const

/** The same as they are shown. */
export const textInputs = [TextInput, EmailInput, UrlInput, PhoneNumberInput] as const

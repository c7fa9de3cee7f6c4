import type { Static } from '@sinclair/typebox'
import { blockOf, ClosedObject, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputResponse, RetryMessage, Visibility } from './common.ts'

const fileOptions = {
  ...answerOption,
  labels: PartialObject({
    placeholder: Type.String({
      description: 'Shown where files are dropped; HTML that clients must sanitise',
    }),
    button: ButtonLabel,
    clear: Type.String(),
    skip: Type.String(),
    success: PartialObject({
      single: Type.String({ description: 'Shown when one file was uploaded' }),
      multiple: Type.String({ description: 'Shown when several files were; `{total}` is their number' }),
    }),
  }),
  isRequired: Type.Boolean({ description: 'On unless false' }),
  isMultipleAllowed: Type.Boolean({ description: 'Off unless true' }),
  allowedFileTypes: PartialObject({
    isEnabled: Type.Boolean({ description: 'Off unless true' }),
    types: Type.Array(Type.String(), {
      description: 'MIME types, families of them, or extensions',
      examples: [['image/*', '.pdf']],
    }),
  }),
  capture: StringEnum(['environment', 'user'], { description: 'The camera that a phone opens' }),
  visibility: Visibility,
}

/** Asks for files. */
export const FileInputBlock = blockOf('file input', {
  ...fileOptions,
  sizeLimit: Type.Number({
    description: 'Before version 6: megabytes of one file, where that is less than the service takes',
  }),
})
export type FileInputBlock = Static<typeof FileInputBlock>

/** A file input as it is shown. */
export const FileInput = InputResponse('file input', fileOptions)

const paymentOptions = {
  ...answerOption,
  labels: PartialObject({
    button: ButtonLabel,
    success: Type.String({ description: 'What the client replies when the payment succeeded' }),
  }),
  provider: StringEnum(['Stripe']),
  credentialsId: Type.Unsafe<string>({ ...Id, description: "The credentials of the author's account" }),
  currency: Type.String({ description: 'ISO 4217 code, `USD` when there is none', examples: ['EUR'] }),
  amount: Type.String({
    description: 'In major units; placeholders allowed',
    examples: ['12.50', '{{Total}}'],
  }),
  additionalInformation: PartialObject({
    description: Type.String(),
    name: Type.String(),
    email: Type.String(),
    phoneNumber: Type.String(),
    address: PartialObject({
      country: Type.String(),
      line1: Type.String(),
      line2: Type.String(),
      state: Type.String(),
      city: Type.String(),
      postalCode: Type.String(),
    }),
  }),
  retryMessageContent: RetryMessage,
}

/** Asks for a payment. */
export const PaymentInputBlock = blockOf('payment input', {
  ...paymentOptions,
  acceptProcessing: Type.Boolean({
    description: 'Whether a payment that takes days counts as made once it is under way. Default false',
  }),
})
export type PaymentInputBlock = Static<typeof PaymentInputBlock>

/** A payment input as it is shown, with what the provider's form needs. */
export const PaymentInput = InputResponse('payment input', paymentOptions, {
  runtimeOptions: Type.Optional(
    ClosedObject({
      paymentIntentSecret: Type.String({ description: 'Opens the payment in the form of the provider' }),
      amountLabel: Type.String({ examples: ['$12.50'] }),
      publicKey: Type.String(),
    }),
  ),
})

/** All of them. */
export const fileInputBlocks = [FileInputBlock, PaymentInputBlock] as const

/** The same as they are shown. */
export const fileInputs = [FileInput, PaymentInput] as const

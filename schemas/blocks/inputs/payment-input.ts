import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputDefinition, InputResponse, RetryMessage } from './common.ts'

const options = {
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
export const PaymentInputBlock = InputDefinition('payment input', {
  ...options,
  acceptProcessing: Type.Boolean({
    description: 'Whether a payment that takes days counts as made once it is under way. Default false',
  }),
})
export type PaymentInputBlock = Static<typeof PaymentInputBlock>

/** A payment input as it is shown, with what the provider's form needs. */
export const PaymentInput = InputResponse('payment input', options, {
  runtimeOptions: Type.Optional(
    ClosedObject({
      paymentIntentSecret: Type.String({ description: 'Opens the payment in the form of the provider' }),
      amountLabel: Type.String({ examples: ['$12.50'] }),
      publicKey: Type.String(),
    }),
  ),
})
export type PaymentInput = Static<typeof PaymentInput>

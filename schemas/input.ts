import type { Static } from '@sinclair/typebox'
import { CardsInput, ChoiceInput, PictureChoiceInput } from './blocks/inputs/choices.ts'
import { FileInput, PaymentInput } from './blocks/inputs/files-and-payments.ts'
import { DateInput, NumberInput, RatingInput, TimeInput } from './blocks/inputs/numbers-and-dates.ts'
import { EmailInput, PhoneNumberInput, TextInput, UrlInput } from './blocks/inputs/texts.ts'
import { withCustom } from './custom.ts'
import { taggedUnion } from './tagged-union.ts'

/** Input that waits for the visitor's reply (docs/api.md 2.9). */
export const Input = taggedUnion(
  withCustom([
    TextInput,
    NumberInput,
    EmailInput,
    UrlInput,
    PhoneNumberInput,
    DateInput,
    TimeInput,
    RatingInput,
    ChoiceInput,
    PictureChoiceInput,
    CardsInput,
    FileInput,
    PaymentInput,
  ]),
  { $id: 'Input', description: 'The one thing that the client is asked for.' },
)
export type Input = Static<typeof Input>

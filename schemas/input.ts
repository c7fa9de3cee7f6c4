import type { Static } from '@sinclair/typebox'
import { CardsInput } from './blocks/inputs/cards-input.ts'
import { ChoiceInput } from './blocks/inputs/choice-input.ts'
import { DateInput } from './blocks/inputs/date-input.ts'
import { EmailInput } from './blocks/inputs/email-input.ts'
import { FileInput } from './blocks/inputs/file-input.ts'
import { NumberInput } from './blocks/inputs/number-input.ts'
import { PaymentInput } from './blocks/inputs/payment-input.ts'
import { PhoneNumberInput } from './blocks/inputs/phone-number-input.ts'
import { PictureChoiceInput } from './blocks/inputs/picture-choice-input.ts'
import { RatingInput } from './blocks/inputs/rating-input.ts'
import { TextInput } from './blocks/inputs/text-input.ts'
import { TimeInput } from './blocks/inputs/time-input.ts'
import { UrlInput } from './blocks/inputs/url-input.ts'
import { taggedUnion } from './tagged-union.ts'

/** Input that waits for the visitor's reply (docs/api.md 2.9). */
export const Input = taggedUnion(
  [
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
  ],
  { $id: 'Input', description: 'The one thing that the client is asked for.' },
)
export type Input = Static<typeof Input>

import { lazy } from '../../lazy.tsx'
import { ChoiceInput, PictureChoiceInput } from './choice-input.tsx'
import type { InputProps } from './input-props.ts'

const CardsInput = lazy(async () => (await import('./cards-input.tsx')).CardsInput)
const DateInput = lazy(async () => (await import('./date-input.tsx')).DateInput)
const FileInput = lazy(async () => (await import('./file-input.tsx')).FileInput)
const PaymentInput = lazy(async () => (await import('./payment-input.tsx')).PaymentInput)
const RatingInput = lazy(async () => (await import('./rating-input.tsx')).RatingInput)
const TimeInput = lazy(async () => (await import('./date-input.tsx')).TimeInput)

/** What the flow asks for, unless it is typed into the composer. */
export function InputView({ input, ...rest }: InputProps) {
  switch (input.type) {
    case 'date input':
      return <DateInput input={input} {...rest} />
    case 'rating input':
      return <RatingInput input={input} {...rest} />
    case 'choice input':
      return <ChoiceInput input={input} {...rest} />
    case 'picture choice input':
      return <PictureChoiceInput input={input} {...rest} />
    case 'cards':
      return <CardsInput input={input} {...rest} />
    case 'file input':
      return <FileInput input={input} {...rest} />
    case 'payment input':
      return <PaymentInput input={input} {...rest} />
    case 'time input':
      return <TimeInput input={input} {...rest} />
    default:
      return null
  }
}

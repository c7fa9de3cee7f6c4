import type { Input } from '../../../../client/client.ts'

/** How a field is told what is typed into it, by the input that asks. */
const fields = {
  'text input': { label: 'Your answer', inputMode: undefined, autocomplete: 'off' },
  'number input': { label: 'A number', inputMode: 'decimal', autocomplete: 'off' },
  'email input': { label: 'Email address', inputMode: 'email', autocomplete: 'email' },
  'url input': { label: 'Web address', inputMode: 'url', autocomplete: 'url' },
  'phone number input': { label: 'Phone number', inputMode: 'tel', autocomplete: 'tel' },
} as const

/** An input whose answer is typed into the composer. */
type TypedInput = Extract<Input, { type: keyof typeof fields }>

export const isTyped = (input: Input | undefined): input is TypedInput =>
  input !== undefined && input.type in fields

/** What the field of the composer is while an input asks. */
export function fieldFor(input: TypedInput) {
  const field = fields[input.type]
  const labels: { readonly placeholder?: string; readonly button?: string } = input.options?.labels ?? {}
  if (input.type === 'text input') {
    const { inputMode = field.inputMode, isLong = false } = input.options ?? {}
    return { ...field, inputMode, isLong, labels }
  }
  // The keys for decimals have no minus on some phones.
  const isSigned = input.type === 'number input' && Number(input.options?.min) < 0
  return { ...field, ...(isSigned && { inputMode: undefined }), isLong: false, labels }
}

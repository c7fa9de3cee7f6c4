import type { Input } from '../../../../client/client.ts'
import { words } from '../../words/speak.ts'

/** How a field is told what is typed into it, by the input that asks. */
const fields = {
  'text input': { label: 'yourAnswer', inputMode: undefined, autocomplete: 'off' },
  'number input': { label: 'number', inputMode: 'decimal', autocomplete: 'off' },
  'email input': { label: 'email', inputMode: 'email', autocomplete: 'email' },
  'url input': { label: 'webAddress', inputMode: 'url', autocomplete: 'url' },
  'phone number input': { label: 'phone', inputMode: 'tel', autocomplete: 'tel' },
} as const

/** An input whose answer is typed into the composer. */
type TypedInput = Extract<Input, { type: keyof typeof fields }>

export const isTyped = (input: Input | undefined): input is TypedInput =>
  input !== undefined && input.type in fields

/** What the field of the composer is while an input asks. */
export function fieldFor(input: TypedInput) {
  const { label, ...keys } = fields[input.type]
  const field = { ...keys, label: words.value[label] }
  const labels: { readonly placeholder?: string; readonly button?: string } = input.options?.labels ?? {}
  if (input.type === 'text input') {
    const { inputMode = field.inputMode, isLong = false } = input.options ?? {}
    return { ...field, inputMode, isLong, labels }
  }
  // The keys for decimals have no minus on some phones.
  const isSigned = input.type === 'number input' && Number(input.options?.min) < 0
  return { ...field, ...(isSigned && { inputMode: undefined }), isLong: false, labels }
}

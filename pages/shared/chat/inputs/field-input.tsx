import { useState } from 'preact/hooks'
import { type InputOf, type InputProps, say } from './input-props.ts'

type FieldTypes = 'number input' | 'email input' | 'url input' | 'phone number input' | 'time input'

const fields = {
  'number input': { type: 'number', label: 'A number', autocomplete: 'off' },
  'email input': { type: 'email', label: 'Email address', autocomplete: 'email' },
  'url input': { type: 'url', label: 'Web address', autocomplete: 'url' },
  'phone number input': { type: 'tel', label: 'Phone number', autocomplete: 'tel' },
  'time input': { type: 'time', label: 'Time', autocomplete: 'off' },
} as const

/** One field with a button. What may be said is the service's to judge, so that every client hears the same. */
export function FieldInput({ input, isPrefilled, onReply }: InputProps<InputOf<FieldTypes>>) {
  const { type, label, autocomplete } = fields[input.type]
  const labels: { readonly placeholder?: string; readonly button?: string } = input.options?.labels ?? {}
  const [text, setText] = useState(isPrefilled ? (input.prefilledValue ?? '') : '')
  const bounds = input.type === 'number input' ? boundsOf(input.options) : {}
  return (
    <form
      class="field-row"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onReply(say(text))
      }}
    >
      <input
        class="field"
        // Preact types each kind of field apart, and knows none that may be one of several.
        type={type as 'text'}
        aria-label={labels.placeholder ?? label}
        placeholder={labels.placeholder ?? `${label} …`}
        autocomplete={autocomplete}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        {...bounds}
      />
      <button type="submit" disabled={text.trim() === ''}>
        {labels.button ?? 'Send'}
      </button>
    </form>
  )
}

function boundsOf({ min, max, step }: NonNullable<InputOf<'number input'>['options']> = {}) {
  return { min, max, step: step ?? 'any', inputMode: 'decimal' } as const
}

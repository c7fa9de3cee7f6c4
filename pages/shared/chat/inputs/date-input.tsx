import { useState } from 'preact/hooks'
import { type InputOf, type InputProps, say } from './input-props.ts'

/** A date, or the first and the last one of a range. */
export function DateInput({ input, onReply }: InputProps<InputOf<'date input'>>) {
  const { hasTime, isRange, min, max, labels } = input.options ?? {}
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const type = hasTime ? 'datetime-local' : 'date'
  const bounds = { ...(min && { min }), ...(max && { max }) }
  const isDone = from !== '' && (!isRange || to !== '')
  const field = (label: string, value: string, onChange: (text: string) => void) => (
    <label class="labelled">
      <span>{label}</span>
      <input
        class="field"
        type={type}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        {...bounds}
      />
    </label>
  )
  return (
    <form
      class="field-row"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isDone) onReply(say(isRange ? `${from} to ${to}` : from))
      }}
    >
      {field(isRange ? (labels?.from ?? 'From') : 'Date', from, setFrom)}
      {isRange && field(labels?.to ?? 'To', to, setTo)}
      <button type="submit" disabled={!isDone}>
        {labels?.button ?? 'Send'}
      </button>
    </form>
  )
}

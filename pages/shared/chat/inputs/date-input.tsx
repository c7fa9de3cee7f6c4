import { useState } from 'preact/hooks'
import { words } from '../../words/speak.ts'
import type { InputOf, InputProps } from './input-props.ts'

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
        class="field text-input typebot-datetime-input"
        type={type}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        {...bounds}
      />
    </label>
  )
  return (
    <form
      class="field-row typebot-input"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isDone)
          onReply({
            message: isRange ? `${from} to ${to}` : from,
            shown: [from, ...(isRange ? [to] : [])].sort().map(asShown).join(' – '),
          })
      }}
    >
      {field(isRange ? (labels?.from ?? words.value.from) : words.value.date, from, setFrom)}
      {isRange && field(labels?.to ?? words.value.to, to, setTo)}
      <button type="submit" class="send typebot-button" disabled={!isDone}>
        {labels?.button ?? words.value.send}
      </button>
    </form>
  )
}

/** A date as its field shows it, which goes by the browser and by nothing that a page could say. */
function asShown(value: string): string {
  const time = value.includes('T') && ({ hour: '2-digit', minute: '2-digit' } as const)
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Date(time ? value : `${value}T00:00`).toLocaleString(navigator.language, { ...date, ...time })
}

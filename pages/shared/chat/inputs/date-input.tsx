import type { ComponentChildren } from 'preact'
import { words } from '../../words/speak.ts'
import { type InputOf, type InputProps, say } from './input-props.ts'

/** A date, or the first and the last one of a range. */
export function DateInput({ input, marked, onMark, onReply }: InputProps<InputOf<'date input'>>) {
  const { hasTime, isRange, min, max, labels } = input.options ?? {}
  const [from = '', to = ''] = marked
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
    <PickerForm
      isDone={isDone}
      button={labels?.button}
      onSend={() =>
        onReply({
          message: isRange ? `${from} to ${to}` : from,
          shown: [from, ...(isRange ? [to] : [])].sort().map(asShown).join(' – '),
        })
      }
    >
      {field(isRange ? (labels?.from ?? words.value.from) : words.value.date, from, (text) =>
        onMark([text, to]),
      )}
      {isRange && field(labels?.to ?? words.value.to, to, (text) => onMark([from, text]))}
    </PickerForm>
  )
}

/** A time of the day. */
export function TimeInput({
  input,
  isPrefilled,
  marked,
  onMark,
  onReply,
}: InputProps<InputOf<'time input'>>) {
  const [time = (isPrefilled && input.prefilledValue) || ''] = marked
  return (
    <PickerForm isDone={time !== ''} button={input.options?.labels?.button} onSend={() => onReply(say(time))}>
      <input
        class="field text-input typebot-datetime-input"
        type="time"
        aria-label={words.value.time}
        value={time}
        onInput={({ currentTarget }) => onMark([currentTarget.value])}
      />
    </PickerForm>
  )
}

interface PickerFormProps {
  /** Whether all fields are filled in. */
  readonly isDone: boolean
  readonly button: string | undefined
  readonly onSend: () => void
  readonly children: ComponentChildren
}

/** Fields that browsers have pickers for, and the button that sends what is picked. */
function PickerForm({ isDone, button, onSend, children }: PickerFormProps) {
  return (
    <form
      class="field-row typebot-input"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isDone) onSend()
      }}
    >
      {children}
      <button type="submit" class="send typebot-button" disabled={!isDone}>
        {button ?? words.value.send}
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

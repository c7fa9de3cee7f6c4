import { useState } from 'preact/hooks'
import { words } from '../../words/speak.ts'
import { type InputOf, type InputProps, say } from './input-props.ts'

/** A time of the day. */
export function TimeInput({ input, isPrefilled, onReply }: InputProps<InputOf<'time input'>>) {
  const { labels } = input.options ?? {}
  const [time, setTime] = useState(isPrefilled ? (input.prefilledValue ?? '') : '')
  return (
    <form
      class="field-row typebot-input"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (time !== '') onReply(say(time))
      }}
    >
      <input
        class="field text-input typebot-datetime-input"
        type="time"
        aria-label={words.value.time}
        value={time}
        onInput={({ currentTarget }) => setTime(currentTarget.value)}
      />
      <button type="submit" class="send typebot-button" disabled={time === ''}>
        {labels?.button ?? words.value.send}
      </button>
    </form>
  )
}

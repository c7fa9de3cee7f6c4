import { useEffect, useState } from 'preact/hooks'
import type { ViewProps } from '../overview/view-props.ts'
import { stages } from '../state/address.ts'
import { questionsOf } from '../state/describe-answers.ts'

/** Milliseconds without a key after which a text is looked for. */
const pauseMs = 250

const stageWords = {
  completed: 'Completed',
  left: 'Not completed',
  silent: 'No answer',
  'handed over': 'Handed over to a person',
}

/** Which conversations the table shows. */
export function Filters({ board, outline }: ViewProps) {
  const { filter, view } = board.place.value
  const questions = questionsOf(outline).map(({ id, words }) => [id, words] as const)
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField text={filter.text} onSearch={(text) => board.filter({ text })} />
      {view === 'now' ? (
        <Choice
          label="Waits at"
          any="Any question"
          value={filter.waitingAt}
          options={questions}
          onChoose={(waitingAt) => board.filter({ waitingAt })}
        />
      ) : (
        <>
          <Choice
            label="State"
            any="Any"
            value={filter.stage}
            options={stages.map((stage) => [stage, stageWords[stage]] as const)}
            onChoose={(stage) => board.filter({ stage })}
          />
          <Choice
            label="Left at"
            any="Anywhere or nowhere"
            value={filter.leftAt}
            options={questions}
            onChoose={(leftAt) => board.filter({ leftAt })}
          />
        </>
      )}
      {outline.locales.length > 1 && (
        <Choice
          label="Language"
          any="Any"
          value={filter.locale}
          options={outline.locales.map((locale) => [locale, locale] as const)}
          onChoose={(locale) => board.filter({ locale })}
        />
      )}
    </form>
  )
}

interface SearchFieldProps {
  readonly text: string
  readonly onSearch: (text: string) => void
}

function SearchField({ text, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed === text) return undefined
    const timer = setTimeout(() => onSearch(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <label class="choice">
      <span>Search</span>
      <input
        type="search"
        placeholder="A word of an answer"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  /** The words for no choice. */
  readonly any: string
  readonly value: Value | undefined
  readonly options: readonly (readonly [Value, string])[]
  readonly onChoose: (value: Value | undefined) => void
}

function Choice<Value extends string>({ label, any, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) =>
          onChoose(options.find(([each]) => each === currentTarget.value)?.[0])
        }
      >
        <option value="">{any}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

import { useEffect, useState } from 'preact/hooks'
import type { ViewProps } from '../overview/view-props.ts'
import { type Filter, stages } from '../state/address.ts'
import { questionsOf } from '../state/describe-answers.ts'
import { funnelOf } from '../state/funnel-steps.ts'
import type { OutlineBlock } from '../state/wire.ts'

/** Milliseconds without a key after which a text is looked for. */
const pauseMs = 100

const stageWords = {
  completed: 'Completed',
  left: 'Not completed',
  silent: 'No answer',
  'handed over': 'Handed over to a person',
}

/** Which conversations the table shows. */
export function Filters({ board, outline }: ViewProps) {
  const { filter, view } = board.place.value
  const { steps, ends } = funnelOf(outline, board.analytics.value ?? { blocks: [] })
  const waits = steps.map(({ block }) => block)
  const leaves = [...new Set([...waits, ...ends.map(({ block }) => block)])]
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField text={filter.text} onSearch={(text) => board.filter({ text })} />
      {view === 'now' ? (
        <Choice
          label="Waits at"
          any="Any question"
          value={filter.waitingAt}
          options={waits.map(inWords)}
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
            options={leaves.map(inWords)}
            onChoose={(leftAt) => board.filter({ leftAt })}
          />
        </>
      )}
      <AnswerChoice
        questions={questionsOf(outline).filter(({ items = [] }) => items.length > 0)}
        filter={filter}
        onChoose={board.filter}
      />
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

const inWords = ({ id, words }: OutlineBlock) => [id, words] as const

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
        {value !== undefined && !options.some(([each]) => each === value) && (
          <option value={value}>{value}</option>
        )}
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

interface AnswerChoiceProps {
  readonly questions: readonly OutlineBlock[]
  readonly filter: Filter
  readonly onChoose: (change: Pick<Filter, 'answer' | 'answeredAt'>) => void
}

/** Conversations in which one of the choices of a question was made. */
function AnswerChoice({ questions, filter: { answer, answeredAt }, onChoose }: AnswerChoiceProps) {
  if (questions.length === 0) return null
  const keyOf = (...choice: readonly (string | undefined)[]) => JSON.stringify(choice)
  const known = new Map(
    questions.flatMap(({ id, items = [] }) =>
      items.map(({ value }) => [keyOf(id, value), { answeredAt: id, answer: value }]),
    ),
  )
  const none = { answeredAt: undefined, answer: undefined }
  return (
    <label class="choice">
      <span>Chosen</span>
      <select
        value={answer === undefined ? '' : keyOf(answeredAt, answer)}
        onChange={({ currentTarget }) => onChoose(known.get(currentTarget.value) ?? none)}
      >
        <option value="">Anything</option>
        {questions.map(({ id, words, items = [] }) => (
          <optgroup key={id} label={words}>
            {items.map(({ id: itemId, words: label, value }) => (
              <option key={itemId} value={keyOf(id, value)}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

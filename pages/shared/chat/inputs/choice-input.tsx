import { useState } from 'preact/hooks'
import { safeMedia } from '../safe-address.ts'
import { type InputOf, type InputProps, say } from './input-props.ts'

/** A choice as it is shown, with a picture or without. */
interface Choice {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  readonly picture?: string | undefined
}

interface ChoicesProps extends Pick<InputProps, 'onReply'> {
  readonly choices: readonly Choice[]
  readonly options: NonNullable<InputOf<'choice input'>['options']>
  readonly layout: 'choices' | 'pictures'
}

/** Words, of which one or several are chosen. */
export function ChoiceInput({ input, onReply }: InputProps<InputOf<'choice input'>>) {
  const choices = input.items.map(({ id, content }) => ({ id, label: content ?? '' }))
  return <Choices choices={choices} options={input.options ?? {}} layout="choices" onReply={onReply} />
}

/** Pictures, of which one or several are chosen. */
export function PictureChoiceInput({ input, onReply }: InputProps<InputOf<'picture choice input'>>) {
  const choices = input.items.map(({ id, title, description, pictureSrc }, index) => ({
    id,
    label: title || `Picture ${index + 1}`,
    description,
    picture: safeMedia(pictureSrc, true),
  }))
  return <Choices choices={choices} options={input.options ?? {}} layout="pictures" onReply={onReply} />
}

function Choices({ choices, options, layout, onReply }: ChoicesProps) {
  const [sought, setSought] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { isMultipleChoice = false, isSearchable, areInitialSearchButtonsVisible = true } = options
  const isHidden = isSearchable && !areInitialSearchButtonsVisible && sought === ''
  const found = isHidden
    ? []
    : choices.filter(({ label }) => label.toLowerCase().includes(sought.toLowerCase()))
  const press = ({ id, label }: Choice) => {
    if (!isMultipleChoice)
      return onReply({ message: { type: 'text', text: label, metadata: { replyId: id } }, shown: label })
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const picked = choices.filter(({ id }) => chosen.has(id)).map(({ label }) => label)
  return (
    <div class="field-form">
      {isSearchable && (
        <input
          class="field"
          type="search"
          aria-label="Search the choices"
          placeholder={options.searchInputPlaceholder ?? 'Search …'}
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
      )}
      <fieldset class={layout}>
        <legend class="unseen">{isMultipleChoice ? 'Choose any' : 'Choose one'}</legend>
        {found.map((choice) => (
          <button
            key={choice.id}
            type="button"
            class="choice"
            {...(isMultipleChoice && { 'aria-pressed': chosen.has(choice.id) })}
            onClick={() => press(choice)}
          >
            {choice.picture && <img src={choice.picture} alt="" />}
            <span>{choice.label}</span>
            {choice.description && <small>{choice.description}</small>}
          </button>
        ))}
      </fieldset>
      {isMultipleChoice && (
        <button type="button" disabled={picked.length === 0} onClick={() => onReply(say(picked.join(', ')))}>
          {options.buttonLabel ?? 'Send'}
        </button>
      )}
    </div>
  )
}

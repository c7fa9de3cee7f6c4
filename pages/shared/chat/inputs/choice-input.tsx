import { useState } from 'preact/hooks'
import { fillIn, words } from '../../words/speak.ts'
import { Picture } from '../picture.tsx'
import { type InputOf, type InputProps, say } from './input-props.ts'
import { WalkedByArrows } from './walk-by-arrows.tsx'

/** A choice as it is shown, with a picture or without. */
interface Choice {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  readonly picture?: string | undefined
}

interface ChoicesProps extends Pick<InputProps, 'marked' | 'onMark' | 'onReply'> {
  readonly choices: readonly Choice[]
  readonly options: NonNullable<InputOf<'choice input'>['options']>
  readonly layout: 'choices' | 'pictures'
}

/** Words, of which one or several are chosen. */
export function ChoiceInput({ input, ...rest }: InputProps<InputOf<'choice input'>>) {
  const choices = input.items.map(({ id, content }) => ({ id, label: content ?? '' }))
  return <Choices choices={choices} options={input.options ?? {}} layout="choices" {...rest} />
}

/** Pictures, of which one or several are chosen. */
export function PictureChoiceInput({ input, ...rest }: InputProps<InputOf<'picture choice input'>>) {
  const choices = input.items.map(({ id, title, description, pictureSrc }, index) => ({
    id,
    label: title || fillIn(words.value.pictureNumber, { number: index + 1 }),
    description,
    picture: pictureSrc,
  }))
  return <Choices choices={choices} options={input.options ?? {}} layout="pictures" {...rest} />
}

function Choices({ choices, options, layout, marked, onMark, onReply }: ChoicesProps) {
  const [sought, setSought] = useState('')
  const { isMultipleChoice = false, isSearchable, areInitialSearchButtonsVisible = true } = options
  const isHidden = isSearchable && !areInitialSearchButtonsVisible && sought === ''
  const found = isHidden
    ? []
    : choices.filter(({ label }) => label.toLowerCase().includes(sought.toLowerCase()))
  const press = ({ id, label }: Choice) => {
    if (!isMultipleChoice)
      return onReply({ message: { type: 'text', text: label, metadata: { replyId: id } }, shown: label })
    onMark(marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id])
  }
  const picked = choices.filter(({ id }) => marked.includes(id)).map(({ label }) => label)
  const isNothingFound = isSearchable && found.length === 0 && sought !== ''
  return (
    <div class="field-form typebot-input-form">
      {isSearchable && (
        <input
          class="field text-input"
          type="search"
          aria-label={words.value.searchChoices}
          placeholder={options.searchInputPlaceholder ?? words.value.search}
          value={sought}
          dir={sought ? 'auto' : undefined}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
          onKeyDown={({ key }) => {
            const [only] = found
            if (key === 'Enter' && only && found.length === 1) press(only)
          }}
        />
      )}
      <WalkedByArrows class={`${layout} typebot-buttons-input`}>
        <legend class="unseen">{isMultipleChoice ? words.value.chooseAny : words.value.chooseOne}</legend>
        {found.map((choice) => (
          <button
            key={choice.id}
            type="button"
            class={classOf(layout, isMultipleChoice, marked.includes(choice.id))}
            data-itemid={choice.id}
            dir="auto"
            {...(isMultipleChoice && { 'aria-pressed': marked.includes(choice.id) })}
            onClick={() => press(choice)}
          >
            {choice.picture && <Picture src={choice.picture} alt="" />}
            <span>{choice.label}</span>
            {choice.description && <small>{choice.description}</small>}
          </button>
        ))}
      </WalkedByArrows>
      {isSearchable && <p role="status">{isNothingFound && words.value.nothingFound}</p>}
      {isMultipleChoice && (
        <button
          type="button"
          class="send typebot-button"
          disabled={picked.length === 0}
          onClick={() => onReply(say(picked.join(', ')))}
        >
          {options.buttonLabel ?? words.value.send}
          {picked.length > 0 && <span class="count">{picked.length}</span>}
        </button>
      )}
    </div>
  )
}

/** Names for style sheets: those of docs/pages.md, and those that style sheets from elsewhere know. */
function classOf(layout: ChoicesProps['layout'], isMultiple: boolean, isChosen: boolean): string {
  const picture = layout === 'pictures' ? '-picture' : ''
  if (!isMultiple) return `choice ${picture ? 'typebot-picture-button' : 'typebot-button'}`
  return `choice typebot-selectable${picture} selectable${isChosen ? ' selected' : ''}`
}

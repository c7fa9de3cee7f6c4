import { fillIn, words } from '../../words/speak.ts'
import { type InputOf, type InputProps, say } from './input-props.ts'
import { WalkedByArrows } from './walk-by-arrows.tsx'

/** Steps from the lowest to the highest; of more than this, a field is easier. */
const maxSteps = 100

/** A rating by numbers or icons. */
export function RatingInput({
  input,
  marked: [chosen],
  onMark,
  onReply,
}: InputProps<InputOf<'rating input'>>) {
  const {
    buttonType,
    length = 10,
    startsAt = 0,
    labels,
    customIcon,
    isOneClickSubmitEnabled,
  } = input.options ?? {}
  const isIcons = buttonType === 'Icons'
  const first = isIcons ? 1 : startsAt
  const steps = Math.min(Math.max(Math.floor(length) - first + 1, 0), maxSteps)
  const icon = isIcons && customIcon?.isEnabled ? customIcon.svg : undefined
  const pick = (rating: number) => {
    onMark([String(rating)])
    if (isOneClickSubmitEnabled) onReply(say(String(rating)))
  }
  return (
    <form
      class="field-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== undefined) onReply(say(chosen))
      }}
    >
      <WalkedByArrows class="rating">
        <legend class="unseen">{words.value.rating}</legend>
        <div class="scale">
          {Array.from({ length: steps }, (_, index) => first + index).map((rating) => (
            <button
              key={rating}
              type="button"
              class={isIcons ? 'star' : 'step typebot-button'}
              aria-label={fillIn(words.value.ratingOf, { rating, highest: length })}
              aria-pressed={String(rating) === chosen}
              data-on={isIcons ? rating <= Number(chosen) : String(rating) === chosen}
              onClick={() => pick(rating)}
            >
              {icon ? (
                <img src={`data:image/svg+xml,${encodeURIComponent(icon)}`} alt="" />
              ) : isIcons ? (
                '★'
              ) : (
                rating
              )}
            </button>
          ))}
        </div>
        {(labels?.left || labels?.right) && (
          <div class="scale-ends" dir="auto">
            <span>{labels.left}</span>
            <span>{labels.right}</span>
          </div>
        )}
      </WalkedByArrows>
      {!isOneClickSubmitEnabled && (
        <button type="submit" class="send typebot-button" disabled={chosen === undefined}>
          {labels?.button ?? words.value.send}
        </button>
      )}
    </form>
  )
}

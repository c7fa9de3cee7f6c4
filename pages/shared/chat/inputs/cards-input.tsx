import { words } from '../../words/speak.ts'
import { Picture } from '../picture.tsx'
import type { InputOf, InputProps } from './input-props.ts'

/** Cards, each with buttons of its own. */
export function CardsInput({ input, onReply }: InputProps<InputOf<'cards'>>) {
  return (
    <ul class="cards">
      {input.items.map(({ id, title, description, imageUrl, paths = [] }) => (
        <li key={id + (title ?? '')} class="card typebot-card" data-itemid={id} dir="auto">
          {imageUrl && <Picture src={imageUrl} alt="" />}
          {title && <strong>{title}</strong>}
          {description && <span>{description}</span>}
          {paths.map((path) => {
            const label = path.text ?? words.value.select
            return (
              <button
                key={path.id}
                type="button"
                class="typebot-button"
                data-itemid={path.id}
                aria-label={title ? `${label}: ${title}` : label}
                onClick={() =>
                  onReply({
                    message: { type: 'text', text: title || label, metadata: { replyId: path.id } },
                    shown: title ? `${title}: ${label}` : label,
                  })
                }
              >
                {label}
              </button>
            )
          })}
        </li>
      ))}
    </ul>
  )
}

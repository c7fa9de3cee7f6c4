import { safeMedia } from '../safe-address.ts'
import type { InputOf, InputProps } from './input-props.ts'

/** Cards, each with buttons of its own. */
export function CardsInput({ input, onReply }: InputProps<InputOf<'cards'>>) {
  return (
    <ul class="cards">
      {input.items.map(({ id, title, description, imageUrl, paths = [] }) => (
        <li key={id + (title ?? '')} class="card">
          {imageUrl && <img src={safeMedia(imageUrl, true)} alt="" />}
          {title && <strong>{title}</strong>}
          {description && <span>{description}</span>}
          {paths.map((path) => {
            const label = path.text ?? 'Select'
            const text = title || label
            return (
              <button
                key={path.id}
                type="button"
                aria-label={title ? `${label}: ${title}` : label}
                onClick={() =>
                  onReply({ message: { type: 'text', text, metadata: { replyId: path.id } }, shown: text })
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

import type { Input } from '../../schemas/input.ts'
import type { UserMessage } from '../../schemas/user-message.ts'

/** Replies that the page of the service can send for an input by its buttons, as pages/shared/chat/inputs does. */
export function repliesOfPage(input: Input): (UserMessage | undefined)[] {
  const chosen = (text: string, replyId: string): UserMessage => ({
    type: 'text',
    text,
    metadata: { replyId },
  })
  if (input.type === 'choice input') return input.items.map(({ id, content = '' }) => chosen(content, id))
  if (input.type === 'picture choice input')
    return input.items.map(({ id, title }, index) => chosen(title || `Picture ${index + 1}`, id))
  if (input.type === 'cards')
    return input.items.flatMap(({ title, paths = [] }) =>
      // A card without buttons is named in words.
      paths.length === 0 ? [title ?? ''] : paths.map(({ id, text = 'Select' }) => chosen(title || text, id)),
    )
  if (input.type === 'rating input') {
    const { buttonType, startsAt = 0, length = 10 } = input.options ?? {}
    const first = buttonType === 'Icons' ? 1 : startsAt
    return Array.from({ length: Math.min(Math.max(length - first + 1, 0), 100) }, (_, step) =>
      String(first + step),
    )
  }
  return []
}

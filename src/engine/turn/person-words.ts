import type { TextMessage } from '../../../schemas/blocks/bubbles.ts'
import type { Input } from '../../../schemas/input.ts'
import { deepFreeze, JsonFragment } from '../templates/json-fragment.ts'

/** Shown while a person leads the conversation, so that every client lets its visitor type on. */
export const inputOfPause: JsonFragment<Input> = new JsonFragment(
  deepFreeze({ id: 'paused', type: 'text input' as const }),
)

/** Content of a text that comes from no bubble: its paragraphs. */
export function textContent(
  paragraphs: readonly string[],
  format: 'richText' | 'markdown',
): TextMessage['content'] {
  if (format === 'markdown') return { type: 'markdown', markdown: paragraphs.join('\n\n') }
  return { type: 'richText', richText: paragraphs.map((text) => ({ type: 'p', children: [{ text }] })) }
}

import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Reply, ReplyResult } from '../../../engine/model/step.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { writtenText } from './render-input.ts'

/** Result for a reply that an input does not accept. The trace tells the author the rule (docs/debug.md). */
export const refuse = (rule: string): ReplyResult => ({ outcome: 'refused', rule })

export const notTyped = refuse('it is no text')

/** Accepts what `normalise` makes of a typed reply; refuses recordings, silence, and what it refuses. */
export function validateText(
  reply: Reply | undefined,
  normalise: (text: string) => string | ReplyResult,
): ReplyResult {
  const read = reply?.type === 'text' ? normalise(reply.text) : notTyped
  return typeof read === 'string' ? { outcome: 'accepted', content: read } : read
}

/** A block with a text of its own for refused replies. */
interface RetryOptions {
  readonly retryMessageContent?: string
}

/** Prepares the block's own text for refused replies; undefined when it has none. */
export function compileRetryMessage(
  options: RetryOptions | undefined,
  context: CompileContext,
): TextTemplate | undefined {
  const text = options?.retryMessageContent
  return text ? writtenText(text, context) : undefined
}

/** The block's own text for refused replies; undefined when it has none, or none with the present values. */
export function renderRetryMessage(
  template: TextTemplate | undefined,
  context: RunContext,
): string | undefined {
  return template && (context.text(template) || undefined)
}

/**
 * The longest text that is searched for a date or a phone number, in UTF-16 units. The searches take tens of
 * milliseconds for a few thousand characters, and a longer text is no answer. It is refused rather than cut: half a
 * date can read as another date.
 */
export const longestFreeText = 256

import type { Message } from '../../../schemas/message.ts'
import { compilePattern } from '../../engine/regex/regex.ts'
import { fitsPieces } from '../../engine/values/fits-pieces.ts'

/** Whether a text of a test is a `/pattern/`. */
export const isPattern = (wanted: string) => /^\/.+\/[a-z]*$/s.test(wanted)

/** Thrown where nothing can be compared; its message says why. */
export class ComparisonError extends Error {
  override readonly name = 'ComparisonError'
}

/** Work of all comparisons of one step: some 100 ms. */
const mostWork = 500_000

/** Compares texts with what a step says of them. Throws ComparisonError for a pattern that is none, and where it takes long. */
export class TextComparer {
  #work = 0

  /** Whether a text is as wanted: equal but for blanks around it, `…` for anything, or a `/pattern/`. */
  fits(wanted: string, text: string): boolean {
    if (!isPattern(wanted)) return fitsPieces(wanted.trim().split('…'), text.trim())
    const pattern = compilePattern(wanted, this)
    if ('test' in pattern) return pattern.test(text, this)
    throw new ComparisonError(`${wanted} can not be searched for: ${pattern.reason}`)
  }

  spend(work: number): void {
    this.#work += work
    if (this.#work > mostWork)
      throw new ComparisonError(
        'it takes too long to compare: there is too much of it, or the pattern is too large',
      )
  }
}

/** Text of a message, or the address of what it embeds. */
export function messageText({ type, content }: Message): string {
  const { markdown, url } = content as { markdown?: string; url?: string }
  return type === 'text' ? (markdown ?? '').trim() : (url ?? '')
}

/** A message in one line, as reports and transcripts show it. */
export const messageInOneLine = (message: Message) =>
  message.type === 'text' ? messageText(message) : `[${message.type}] ${messageText(message)}`

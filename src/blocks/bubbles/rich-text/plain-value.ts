/** Characters that may open a block at the start of a line, or are trimmed there. */
const blockStart = /^(?:[\s>~=]|#+(?:\s|$)|[-+](?:[\s-]|$)|\d{1,9}[.)](?:\s|$))/m

/** Possible markup within a line, and characters that a parser changes. */
const markup = /[\\`*\0\r\t\uFEFF]|(?<![A-Za-z\d])_|_(?![A-Za-z\d])|\]\(|<(?! |$)|&#?\w*;/

/** Blanks at the end of a line are a hard break, or are trimmed. */
const trimmed = /[^\S\n]$/m

/** Names, numbers and short answers, which most values are. */
const words = /^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/

/**
 * Whether a value is certain to be one paragraph that holds the value itself, so that it needs no parser.
 * False says nothing: the parser has to look.
 */
export function isPlain(value: string): boolean {
  if (words.test(value)) return true
  return !blockStart.test(value) && !markup.test(value) && !trimmed.test(value) && !value.endsWith('\n')
}

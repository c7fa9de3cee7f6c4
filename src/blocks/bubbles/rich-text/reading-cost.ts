/** Characters of the longest text that is read: as many as a value has. */
export const longestMarkdown = 64 * 1024

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

/** Budget for parsing, in marks times characters, for which the parser needs up to 40 ns in the worst case. */
export interface ReadingBudget {
  left: number
}

/** Enough for one bubble: 16 KiB of text with a thousand blocks, or half a second spent on hostile values. */
export function createReadingBudget(): ReadingBudget {
  return { left: 16_000_000 }
}

/** Marks that may open a block: their cost grows with the whole value. */
const blockMarks = /[\r\n>#=~]|[-+*](?=\s)|\d[.)](?=\s)/g

/** Marks that may open something within a paragraph, and are searched in it only. */
const inlineMarks = /[*_`[\]<&\\]/g

const blankLine = /\n[ \t]*\n/

/** Characters that open nothing, but that the parser reads one by one, in up to 3 µs each. */
const singles = /[\t!\0]/g

/** Cost of one of them: 64 Ki of them are all that a bubble may hold. */
const costOfSingle = 250

/** Takes what a value costs from the budget; false when too little is left. */
export function spendOn(value: string, budget: ReadingBudget): boolean {
  let cost = (1 + count(value, blockMarks)) * value.length + count(value, singles) * costOfSingle
  for (const chunk of value.split(blankLine)) cost += count(chunk, inlineMarks) * chunk.length
  if (cost > budget.left) return false
  budget.left -= cost
  return true
}

function count(text: string, marks: RegExp): number {
  let total = 0
  for (const _ of text.matchAll(marks)) total++
  return total
}

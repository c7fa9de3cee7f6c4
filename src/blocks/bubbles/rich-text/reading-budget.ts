/** How much may still be read, in marks times characters, for which the parser needs up to 40 ns in the worst case. */
export interface ReadingBudget {
  left: number
}

/** Enough for one bubble: 16 KiB of text with a thousand blocks, or half a second spent on hostile values. */
export function createReadingBudget(): ReadingBudget {
  return { left: 16_000_000 }
}

/** What may open a block: its cost grows with the whole value. */
const blockMarks = /[\r\n>#=~]|[-+*](?=\s)|\d[.)](?=\s)/g

/** What may open something within a paragraph, and is looked for in it only. */
const inlineMarks = /[*_`[\]<&\\]/g

const blankLine = /\n[ \t]*\n/

/** What opens nothing by itself, but that the parser takes in one by one, in up to 3 µs each. */
const singles = /[\t!\0]/g

/** What one of them costs: 64 Ki of them are all that a bubble may hold. */
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

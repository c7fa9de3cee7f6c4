/** How much may still be read: marks times characters, for which the parser needs up to 40 ns in the worst case. */
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

/** Takes what a value costs from the budget; false when too little is left. */
export function spendOn(value: string, budget: ReadingBudget): boolean {
  let cost = (1 + count(value, blockMarks)) * value.length
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

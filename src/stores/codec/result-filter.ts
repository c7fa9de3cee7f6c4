import type { Result, ResultFilter } from '../result-store.ts'

/** Results that one request for an answer goes through at most; the next page goes on behind them. */
export const mostScanned = 2000

/** Whether a result was created within the times that are asked for. */
export function isWithin(createdAt: number, { from = -Infinity, until = Infinity }: ResultFilter): boolean {
  return createdAt >= from && createdAt < until
}

/** Finds the results that hold an answer; undefined when the filter names none. */
interface AnswerSearch {
  /** False only for a result without the answer: reading it can then be spared. Takes what `writeResult` wrote. */
  mayMatch(text: string): boolean
  matches(result: Result): boolean
}

export function searchFor({ answer }: ResultFilter): AnswerSearch | undefined {
  if (answer === undefined) return undefined
  const sought = fold(answer)
  const asWritten = JSON.stringify(sought).slice(1, -1)
  return {
    mayMatch: (text) => text.toLowerCase().includes(asWritten),
    matches: ({ answers }) => answers.some(({ content }) => fold(content) === sought),
  }
}

const fold = (text: string) => text.trim().toLowerCase()

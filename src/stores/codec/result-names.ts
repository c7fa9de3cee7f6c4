import type { Result, ResultCountPage, ResultName, ResultNamePage, ResultPage } from '../result-store.ts'
import { changeColumns, resultColumns, resultFormat, resultFormatsBefore } from './result-codec.ts'

export function nameOfResult({ id, lastChatSessionId }: Result): ResultName {
  return { id, lastChatSessionId }
}

export function namesOfPage({ results, ...next }: ResultPage): ResultNamePage {
  return { names: results.map(nameOfResult), ...next }
}

export function countOfPage({ results, ...next }: ResultPage): ResultCountPage {
  return { count: results.length, ...next }
}

/** Characters that are enough of what `writeResult` or `writeChange` wrote for `sessionInHead` to find the session. */
export const headCharacters = 1000

/** The formats before have the same columns up to here. */
const format = `(?:${[...resultFormatsBefore, resultFormat].join('|')})`

const text = String.raw`"(?:[^"\\]|\\.)*"`
const number = String.raw`-?[\d.e+-]+`
const writtenAs = { id: text, flowId: text, lastChatSessionId: `(${text})` } as Record<string, string>

/** A row of these formats as far as its session, whatever stands behind it. */
function rowUpToSession(columns: readonly string[]): string {
  const before = columns.slice(0, columns.indexOf('lastChatSessionId') + 1)
  return `^\\n?\\[${[format, ...before.map((name) => writtenAs[name] ?? number)].join(',')}`
}

const heads = [changeColumns, resultColumns].map((columns) => new RegExp(rowUpToSession(columns)))

/**
 * The session that a result or a change names, by how its text begins: a large one is not parsed for it. Undefined where
 * it names none, and for another format: reading the result then tells.
 */
export function sessionInHead(head: string): string | undefined {
  for (const pattern of heads) {
    const session = pattern.exec(head)?.[1]
    if (session !== undefined) return JSON.parse(session) as string
  }
  return undefined
}

/** The beginning of a change that names no session, as a regular expression of PostgreSQL. */
export const changeWithoutSession = String.raw`^\n\[${format},${number}(,null|\])`

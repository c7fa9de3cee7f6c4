import type { ResultFilter } from '../result-store.ts'
import { resultFormatsBefore } from './result-codec.ts'

/** Compared by a database with the lines of a result, before any is read. */
interface TextPattern {
  /** For LIKE with `\` as its escape, whatever the capitals of ASCII. */
  readonly like: string
  /** Whether a result with marks may hold the text though no line of it is like that: a value may stand within it. */
  readonly isBesideMarks: boolean
}

/** Whether a line of a result has marks, as SQLite and PostgreSQL read it alike: lines of the former formats have none, which is told first. */
export function hasMarks(line: string): string {
  const former = resultFormatsBefore.map((format) => `substr(${line}, 1, 4) NOT LIKE '%[${format},%'`)
  return [...former, `${line} LIKE '%"mark":"%'`].join(' AND ')
}

/** A pattern for each text of a filter: the results that it finds are like all of them, and few others are. */
export function textPatterns({ answer, text, hidesMasked = false }: ResultFilter): readonly TextPattern[] {
  return [
    ...(answer === undefined ? [] : [{ like: likeOf(answer.trim()), isBesideMarks: true }]),
    ...(text === undefined ? [] : [{ like: likeOf(text), isBesideMarks: !hidesMasked }]),
  ]
}

/** Databases fold other letters in ways of their own. I and K are small letters of others, too: of İ and of the sign for kelvin. */
function likeOf(sought: string): string {
  const written = JSON.stringify(sought.toLowerCase()).slice(1, -1)
  const pattern = written
    .replace(/[\\%_]/g, '\\$&')
    .replace(/[ik]/g, '_')
    .replace(/[^ -~]+/g, '%')
  return `%${pattern}%`
}

import { characterOf } from '../counts/path-bits.ts'
import type { PathFilter, ResultFilter } from '../result-store.ts'

/** Makes a value a parameter of a statement, and returns how the statement names it. */
type Bind = (value: string | number) => string

/** When a result was created, as conditions of a statement over the column of that name. */
export function timeConditions({ from, until }: ResultFilter, column: string, bind: Bind): string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${bind(from)}`]),
    ...(until === undefined ? [] : [`${column} < ${bind(until)}`]),
  ]
}

/** How far its conversation has come, as conditions that SQLite and PostgreSQL read alike. */
export function visitConditions({ paths, cohort = [], place, waiting }: ResultFilter, bind: Bind): string[] {
  return [
    ...(paths ? [anyOf(pathConditions(paths, bind))] : []),
    // Whether a text is within another has no name that both know.
    ...cohort.map((part) => `replace(cohort, ${bind(part)}, '') <> cohort`),
    ...(place === undefined ? [] : [`place = ${bind(place)}`]),
    ...(waiting ? [`asked_at ${waiting.is ? '>=' : '<'} ${bind(waiting.since)}`] : []),
  ]
}

function pathConditions(paths: readonly PathFilter[], bind: Bind): string[] {
  return paths.map(({ versions, through, without }) =>
    [
      `version IN (${versions.map(bind)})`,
      ...through.map((index) => bitCondition(index, 'IN')),
      ...without.map((index) => bitCondition(index, 'NOT IN')),
    ].join(' AND '),
  )
}

function bitCondition(index: number, operator: 'IN' | 'NOT IN'): string {
  const { at, oneOf } = characterOf(index)
  return `substr(path, ${at + 1}, 1) ${operator} (${oneOf.map((character) => `'${character}'`)})`
}

/** Conditions that stand beside each other: SQLite takes expressions that are 1,000 levels deep. */
const mostBeside = 200

function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 0) return '1 = 0'
  const groups: string[] = []
  for (let start = 0; start < conditions.length; start += mostBeside)
    groups.push(`(${conditions.slice(start, start + mostBeside).join(' OR ')})`)
  return groups.length === 1 ? (groups[0] as string) : `(${groups.join(' OR ')})`
}

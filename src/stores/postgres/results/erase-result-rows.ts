import { nameOfResult, sessionInHead } from '../../codec/result-names.ts'
import type { ResultName } from '../../result-store.ts'
import type { Query } from '../postgres-database.ts'
import { type ResultRow, resultOfRow } from './result-row.ts'
import { dropLines, findNames, findResults, holdResults, markErased } from './result-statements.ts'

export interface NameRow {
  readonly number: number
  readonly id: string
  /** Null where nothing names its session. */
  readonly head: string | null
}

/** Erases results inside a transaction. Those that were there, as of the last turn. */
export async function eraseResults(
  query: Query,
  flowId: string,
  ids: readonly string[],
): Promise<readonly ResultName[]> {
  const held = await query<{ number: number }>(holdResults, [flowId, ids])
  const rows = await query<NameRow>(findNames, [held.map(({ number }) => number)])
  const names = await namesOf(rows, query)
  const marked = await query<{ number: number }>(markErased, [flowId, ids])
  await query(dropLines, [marked.map(({ number }) => number)])
  return names
}

/** Reads the few whose sessions do not show at once. */
export async function namesOf(rows: readonly NameRow[], query: Query): Promise<readonly ResultName[]> {
  const names: ResultName[] = []
  const unclear: number[] = []
  for (const { id, number, head } of rows) {
    const lastChatSessionId = head === null ? undefined : sessionInHead(head)
    if (lastChatSessionId === undefined) unclear.push(number)
    else names.push({ id, lastChatSessionId })
  }
  if (unclear.length === 0) return names
  const read = await query<ResultRow>(findResults, [unclear])
  return [...names, ...read.map((row) => nameOfResult(resultOfRow(row)))]
}

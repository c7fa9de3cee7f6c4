import { readConversation } from '../../codec/conversation-codec.ts'
import type { StoredConversation } from '../../conversation-store.ts'

/** A session as a statement returns it. */
export interface SessionRow {
  readonly isPreview: boolean
  readonly revision: number
  readonly text: string
  readonly payloadNumber: number
  readonly payload: string | null
}

export function conversationOfRow({
  text,
  revision,
  payloadNumber,
  payload,
}: SessionRow): StoredConversation {
  const { session } = readConversation(text)
  return { session, revision, ...(payload !== null && { payload: { number: payloadNumber, text: payload } }) }
}

/** Columns of a session that an outer join may have left empty. */
export function isThere<Row extends Partial<SessionRow>>(row: Row): row is Row & SessionRow {
  return typeof row.text === 'string'
}

/** The live one where there are two of an id. */
export function liveFirst<Row extends Pick<SessionRow, 'isPreview'>>(rows: readonly Row[]): Row | undefined {
  return rows.find(({ isPreview }) => !isPreview) ?? rows[0]
}

export function groupByToken<Row extends { readonly token: string }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.token, [...(groups.get(row.token) ?? []), row])
  return groups
}

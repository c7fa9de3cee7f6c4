import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import type { QueueEntry, Session } from '../session.ts'
import { type Readers, readRow } from './format.ts'
import { columnsOf, fromRow, toRow } from './row-codec.ts'

/** A session with its payload, where that is not kept beside it. */
interface Written extends Session {
  readonly payloadNumber?: number | undefined
  readonly payload?: string | undefined
}

export const sessionColumns = columnsOf<Written>({
  id: true,
  kind: true,
  state: true,
  createdAt: true,
  answered: true,
  queue: true,
  publicId: true,
  waitingBlock: true,
  isProgressTracked: true,
  isStreamEnabled: true,
  transcript: true,
  returnMarks: true,
  mails: true,
  result: true,
  isTrusted: true,
  payloadNumber: true,
  payload: true,
  needsToken: true,
  payment: true,
  trace: true,
  mocks: true,
  recording: true,
})

export const entryColumns = columnsOf<QueueEntry>({
  program: true,
  flowId: true,
  variables: true,
  answers: true,
  resultId: true,
  resumeAt: true,
  mergesResults: true,
  sharesVariables: true,
  inherited: true,
  sessionOnly: true,
  isAside: true,
})

/** Of what `writeConversation` writes. Another property takes another: a build without it would drop it with its next turn. */
export const conversationFormat = 1

/** What stands before the columns: the format and the revision. */
const before = 2

const queueAt = before + sessionColumns.indexOf('queue')

/** By format: this build's and the one before it, once there is one. */
const readers: Readers<StoredConversation> = {
  [conversationFormat](row) {
    const { payloadNumber: number, payload: text, ...session } = fromRow(row, sessionColumns, before)
    const queue = (row[queueAt] as unknown[][]).map((entry) => fromRow(entry, entryColumns))
    const payload = number !== undefined && text !== undefined ? { number, text } : undefined
    return { session: { ...session, queue }, revision: row[1] as number, payload }
  },
}

/** Writes a session as JSON, in as few characters as that allows: stores hold very many. */
export function writeConversation(session: Session, revision: number, payload?: WebhookPayload): string {
  const written: Written = payload
    ? { ...session, payloadNumber: payload.number, payload: payload.text }
    : session
  const row = toRow(written, sessionColumns, conversationFormat, revision)
  row[queueAt] = session.queue.map((entry) => toRow(entry, entryColumns))
  return JSON.stringify(row)
}

/** Reads what `writeConversation` has written. Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readConversation(text: string): StoredConversation {
  return readRow(JSON.parse(text), readers)
}

/** The revision alone: no text is parsed for it. */
export function revisionOf(text: string): number {
  const at = text.indexOf(',') + 1
  return Number.parseInt(text.slice(at, at + 16), 10)
}

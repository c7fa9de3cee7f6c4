import { columnsOf, fromRow, toRow } from './row-text.ts'
import type { QueueEntry, Session } from './session.ts'

const sessionColumns = columnsOf<Session>({
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
  payload: true,
  isTrusted: true,
})

const queuePlace = sessionColumns.indexOf('queue')

const queueColumns = columnsOf<QueueEntry>({
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

/** Writes a session in as few characters as JSON allows. */
export function writeSession(session: Session): string {
  const row = toRow(session, sessionColumns)
  row[queuePlace] = session.queue.map((entry) => toRow(entry, queueColumns))
  return JSON.stringify(row)
}

/** Reads what `writeSession` has written. */
export function readSession(text: string): Session {
  const row: unknown[] = JSON.parse(text)
  const queue = row[queuePlace] as unknown[][]
  row[queuePlace] = queue.map((entry) => fromRow(entry, queueColumns))
  return fromRow(row, sessionColumns)
}

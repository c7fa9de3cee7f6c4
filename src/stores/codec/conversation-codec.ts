import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import type { QueueEntry, Session } from '../session.ts'
import { columnsOf, fromRow, type Readers, readRow, toRow } from './row-codec.ts'

/** A session, and two columns for a payload that nothing was ever kept in: stores keep it beside the text. */
interface Written extends Session {
  readonly payloadNumber?: undefined
  readonly payload?: undefined
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
  timers: true,
  said: true,
  locale: true,
  contact: true,
  pause: true,
  channel: true,
  counted: true,
})

const entryColumns = columnsOf<QueueEntry>({
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
export const conversationFormat = 5

/** Formats before, with the first column that each lacks: one that holds all there is can be read by its build, too. */
const formatsBefore = [
  { format: 1, end: 'timers' },
  { format: 2, end: 'contact' },
  { format: 3, end: 'channel' },
  { format: 4, end: 'counted' },
] as const

/** The format and the revision stand before the columns. */
const before = 2

const queueAt = before + sessionColumns.indexOf('queue')

function readColumns(row: readonly unknown[]): Omit<StoredConversation, 'payload'> {
  const queue = (row[queueAt] as unknown[][]).map((entry) => fromRow(entry, entryColumns))
  const session: Session = Object.assign(fromRow(row, sessionColumns, before), { queue })
  return { session, revision: row[1] as number }
}

/** By format: this build's and those before it, which have the same columns as far as they go. */
const readers: Readers<Omit<StoredConversation, 'payload'>> = {
  1: readColumns,
  2: readColumns,
  3: readColumns,
  4: readColumns,
  [conversationFormat]: readColumns,
}

/** Writes a session as JSON, in as few characters as that allows: stores hold very many. */
export function writeConversation(session: Session, revision: number): string {
  const row = toRow<Written>(session, sessionColumns, conversationFormat, revision)
  row[queueAt] = session.queue.map((entry) => toRow(entry, entryColumns))
  // What was said in a window of replies is in no column of its own, and lost to builds that know none.
  const hasWindow = session.timers?.some(({ type }) => type === 'reply') === true
  const fits = ({ format, end }: (typeof formatsBefore)[number]) =>
    (!hasWindow || format > 2) && row.length <= before + sessionColumns.indexOf(end)
  row[0] = formatsBefore.find(fits)?.format ?? conversationFormat
  return JSON.stringify(row)
}

/** Reads what `writeConversation` has written. Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readConversation(text: string, payload?: WebhookPayload): StoredConversation {
  const { session, revision } = readRow(JSON.parse(text), readers)
  return { session, revision, payload }
}

/** The revision alone: no text is parsed for it. */
export function revisionOf(text: string): number {
  const at = text.indexOf(',') + 1
  return Number.parseInt(text.slice(at, at + 16), 10)
}

import type { QueueEntry, Session, Timer } from '../../sessions/session.ts'
import type { SessionContact } from '../../sessions/session-contact.ts'
import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import { columnNames, fromRow, type Readers, readRow, toRow } from './row-codec.ts'

/** A session, and two columns for a payload that nothing was ever kept in: stores keep it beside the text. */
interface Written extends Session {
  readonly payloadNumber?: undefined
  readonly payload?: undefined
}

export const sessionColumns = columnNames<Written>({
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

export const entryColumns = columnNames<QueueEntry>({
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

/** With each property, so that one that is missing does not compile. */
type Whole<T> = { readonly [Name in keyof Required<T>]: T[Name] }

/**
 * Each turn of a person writes one and reads it: names would be most of it, and going through columns takes several times what
 * naming the properties here does.
 */
export function contactRow(contact: SessionContact): unknown[] {
  const { id, isVerified, readAt, memory, name, timeZone, email, phone } = contact
  return withoutTail([id, isVerified, readAt, memory, name, timeZone, email, phone])
}

type Text = string | null

export type ContactRow = readonly [
  id: string,
  isVerified: boolean,
  readAt: number,
  memory?: SessionContact['memory'] | null,
  name?: Text,
  timeZone?: Text,
  email?: Text,
  phone?: Text,
]

export function readContactRow(row: ContactRow): Whole<SessionContact> {
  return {
    id: row[0],
    isVerified: row[1],
    readAt: row[2],
    memory: row[3] ?? undefined,
    name: row[4] ?? undefined,
    timeZone: row[5] ?? undefined,
    email: row[6] ?? undefined,
    phone: row[7] ?? undefined,
  }
}

export function timerRow({ type, due, eventId, fired, replies, isMarkdown }: Timer): unknown[] {
  return withoutTail([type, due, eventId, fired, replies, isMarkdown])
}

export type TimerRow = readonly [
  type: Timer['type'],
  due?: number | null,
  eventId?: Text,
  fired?: number | null,
  replies?: Timer['replies'] | null,
  isMarkdown?: true | null,
]

export function readTimerRow(row: TimerRow): Whole<Timer> {
  return {
    type: row[0],
    due: row[1] ?? undefined,
    eventId: row[2] ?? undefined,
    fired: row[3] ?? undefined,
    replies: row[4] ?? undefined,
    isMarkdown: row[5] ?? undefined,
  }
}

/** Without the absent values behind the last that is there. */
function withoutTail(row: unknown[]): unknown[] {
  while (row[row.length - 1] === undefined) row.pop()
  return row
}

/** Of what `writeConversation` writes. Another property takes another: a build without it would drop it with its next turn. */
export const conversationFormat = 7

/** Written for sessions that have neither a contact nor timers, which wrote their names. */
const formatOfNames = 6

/** Written for sessions that have none of the columns from `timers` on, so that the builds before read them during an update. */
const formatBefore = 1

/** The format and the revision stand before the columns. */
const before = 2

const queueAt = before + sessionColumns.indexOf('queue')

/** Columns behind these stand by name in one object: few sessions have one of them, and hardly any has several. */
const namedFrom = sessionColumns.indexOf('waitingBlock') + 1

const [firstColumns, namedColumns] = [sessionColumns.slice(0, namedFrom), sessionColumns.slice(namedFrom)]

const laterColumns = sessionColumns.slice(sessionColumns.indexOf('timers'))

/** Formats up to 5 had a place for each column. */
function readColumns(row: readonly unknown[]): Omit<StoredConversation, 'payload'> {
  const queue = (row[queueAt] as unknown[][]).map((entry) => fromRow(entry, entryColumns))
  const session: Session = Object.assign(fromRow(row, sessionColumns, before), { queue })
  return { session, revision: row[1] as number }
}

function readNamed(row: readonly unknown[]): Omit<StoredConversation, 'payload'> {
  const { session, revision } = readColumns(row.slice(0, -1))
  return { session: Object.assign(session, row.at(-1)), revision }
}

function readRows(row: readonly unknown[]): Omit<StoredConversation, 'payload'> {
  const named = row.at(-1) as Record<string, unknown>
  const { contact, timers } = named as { contact?: ContactRow; timers?: readonly TimerRow[] }
  if (contact) named['contact'] = readContactRow(contact)
  if (timers) named['timers'] = timers.map(readTimerRow)
  return readNamed(row)
}

/** By format: this build's and those before it. */
const readers: Readers<Omit<StoredConversation, 'payload'>> = {
  1: readColumns,
  2: readColumns,
  3: readColumns,
  4: readColumns,
  5: readColumns,
  [formatOfNames]: readNamed,
  [conversationFormat]: readRows,
}

/** Writes a session as JSON, in as few characters as that allows: stores hold very many. */
export function writeConversation(session: Session, revision: number): string {
  const written: Written = session
  const isNamed = laterColumns.some((column) => written[column] !== undefined)
  const row = isNamed
    ? namedRow(written, revision)
    : toRow<Written>(written, sessionColumns, formatBefore, revision)
  row[queueAt] = session.queue.map((entry) => toRow(entry, entryColumns))
  return JSON.stringify(row)
}

function namedRow(session: Written, revision: number): unknown[] {
  const { contact, timers } = session
  const row: unknown[] = [contact || timers ? conversationFormat : formatOfNames, revision]
  for (const column of firstColumns) row.push(session[column])
  const named: Record<string, unknown> = {}
  for (const column of namedColumns) if (session[column] !== undefined) named[column] = session[column]
  if (contact) named['contact'] = contactRow(contact)
  if (timers) named['timers'] = timers.map(timerRow)
  row.push(named)
  return row
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

import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import type { QueueEntry, Session } from '../session.ts'
import { type Readers, readRow } from './format.ts'

/** The properties of a record in their order, which both writing and reading keep to. */
type Row = readonly unknown[]

/** Of what `writeConversation` writes. Another property takes another: a build without it would drop it with its next turn. */
export const conversationFormat = 1

/** By format: this build's and the one before it, once there is one. */
const readers: Readers<StoredConversation> = { [conversationFormat]: conversationOfRow }

/**
 * Writes a conversation as JSON, in as few characters as that allows: stores hold very many, so their texts leave
 * names out. Back ends that keep revision and payload in columns of their own go by those.
 */
export function writeConversation(session: Session, revision: number, payload?: WebhookPayload): string {
  return JSON.stringify(
    shortened([
      conversationFormat,
      revision,
      session.id,
      session.kind,
      session.state,
      session.createdAt,
      session.answered,
      session.queue.map(rowOfEntry),
      session.publicId,
      session.waitingBlock,
      session.isProgressTracked,
      session.isStreamEnabled,
      session.transcript,
      session.returnMarks,
      session.mails,
      session.result,
      session.isTrusted,
      payload?.number,
      payload?.text,
      session.needsToken,
      session.payment,
      session.trace,
      session.mocks,
      session.recording,
    ]),
  )
}

function rowOfEntry(entry: QueueEntry): Row {
  return shortened([
    entry.program,
    entry.flowId,
    entry.variables,
    entry.answers,
    entry.resultId,
    entry.resumeAt,
    entry.mergesResults,
    entry.sharesVariables,
    entry.inherited,
    entry.sessionOnly,
    entry.isAside,
  ])
}

/** What few records have stands last, where it takes nothing when it is absent. */
function shortened(row: unknown[]): Row {
  while (row.length > 0 && row.at(-1) === undefined) row.pop()
  return row
}

/** Reads what `writeConversation` has written. Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readConversation(text: string): StoredConversation {
  return readRow(JSON.parse(text), readers)
}

/** JSON writes what is absent as null, which no property holds itself. */
function conversationOfRow(row: Row): StoredConversation {
  const session = {
    id: row[2],
    kind: row[3],
    state: row[4],
    createdAt: row[5],
    answered: row[6],
    queue: (row[7] as Row[]).map(entryOfRow),
    publicId: row[8] ?? undefined,
    waitingBlock: row[9] ?? undefined,
    isProgressTracked: row[10] ?? undefined,
    isStreamEnabled: row[11] ?? undefined,
    transcript: row[12] ?? undefined,
    returnMarks: row[13] ?? undefined,
    mails: row[14] ?? undefined,
    result: row[15] ?? undefined,
    isTrusted: row[16] ?? undefined,
    needsToken: row[19] ?? undefined,
    payment: row[20] ?? undefined,
    trace: row[21] ?? undefined,
    mocks: row[22] ?? undefined,
    recording: row[23] ?? undefined,
  } satisfies Record<keyof Session, unknown>
  const number = row[17] as number | null | undefined
  const payload = number ? { number, text: row[18] as string } : undefined
  return { session: session as Session, revision: row[1] as number, payload }
}

function entryOfRow(row: Row): QueueEntry {
  const entry = {
    program: row[0],
    flowId: row[1],
    variables: row[2],
    answers: row[3],
    resultId: row[4] ?? undefined,
    resumeAt: row[5] ?? undefined,
    mergesResults: row[6] ?? undefined,
    sharesVariables: row[7] ?? undefined,
    inherited: row[8] ?? undefined,
    sessionOnly: row[9] ?? undefined,
    isAside: row[10] ?? undefined,
  } satisfies Record<keyof QueueEntry, unknown>
  return entry as QueueEntry
}

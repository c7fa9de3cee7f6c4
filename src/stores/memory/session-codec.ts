import type { QueueEntry, Session } from '../session.ts'

/** The properties of a record in their order, which both writing and reading keep to. */
type Row = readonly unknown[]

/** Writes a session in as few characters as JSON allows: stores hold very many, so their texts leave names out. */
export function writeSession(session: Session): string {
  return JSON.stringify(
    shortened([
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
      session.payload,
      session.isTrusted,
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
  while (row.at(-1) === undefined) row.pop()
  return row
}

/** Reads what `writeSession` has written. */
export function readSession(text: string): Session {
  const row: Row = JSON.parse(text)
  const session = {
    id: row[0],
    kind: row[1],
    state: row[2],
    createdAt: row[3],
    answered: row[4],
    queue: (row[5] as Row[]).map(entryOfRow),
    publicId: present(row[6]),
    waitingBlock: present(row[7]),
    isProgressTracked: present(row[8]),
    isStreamEnabled: present(row[9]),
    transcript: present(row[10]),
    returnMarks: present(row[11]),
    mails: present(row[12]),
    result: present(row[13]),
    payload: present(row[14]),
    isTrusted: present(row[15]),
  } satisfies Record<keyof Session, unknown>
  return session as Session
}

function entryOfRow(row: Row): QueueEntry {
  const entry = {
    program: row[0],
    flowId: row[1],
    variables: row[2],
    answers: row[3],
    resultId: present(row[4]),
    resumeAt: present(row[5]),
    mergesResults: present(row[6]),
    sharesVariables: present(row[7]),
    inherited: present(row[8]),
    sessionOnly: present(row[9]),
    isAside: present(row[10]),
  } satisfies Record<keyof QueueEntry, unknown>
  return entry as QueueEntry
}

/** JSON writes what is absent as null, which no property holds itself. */
function present(value: unknown): unknown {
  return value ?? undefined
}

import type { WrittenContact } from '../../codec/contact-memory.ts'
import type { OutgoingEvent } from '../../outgoing/outbox-store.ts'
import type { ResultUpdate } from '../../result-store.ts'
import type { AnswerRow, AnswerRows } from './answer-rows.ts'
import type { ContactRows } from './contacts/contact-rows.ts'
import type { CountRows } from './counts/count-rows.ts'
import type { InboxRows } from './outgoing/inbox-rows.ts'
import type { OutboxRows } from './outgoing/outbox-rows.ts'
import type { ResultRows } from './results/result-rows.ts'
import { erasedMs, type RowsContext } from './rows-context.ts'
import { type KeptRevision, keptAlone, type SessionChange, type SessionRows } from './session-rows.ts'

/** All that one turn changes, as one unit. What there is none of is left out: naming it takes as long as sending it. */
export interface KeepRequest {
  readonly session?: SessionChange
  readonly results?: readonly ResultUpdate[]
  /** With a session. */
  readonly contact?: WrittenContact
  readonly answer?: { readonly row: AnswerRow; readonly expires: number }
  /** The claim of a start that has no answer to keep. */
  readonly dropped?: string
  readonly outgoing?: readonly OutgoingEvent[]
  /** As `writeFacts` made it. */
  readonly facts?: string
}

interface TouchedRows {
  readonly sessions: SessionRows
  readonly answers: AnswerRows
  readonly results: ResultRows
  readonly contacts: ContactRows
  readonly counts: CountRows
  readonly outbox: OutboxRows
  readonly inbox: InboxRows
}

/** Changes of several tables as one unit. */
export class TurnRows {
  readonly #context: RowsContext
  readonly #rows: TouchedRows

  constructor(context: RowsContext, rows: TouchedRows) {
    this.#context = context
    this.#rows = rows
  }

  /** Returns the one that is there; undefined when this one was kept. */
  claim(answer: AnswerRow, expires: number): AnswerRow | undefined {
    const there = this.#rows.answers.find(answer.name)
    if (!there) this.#rows.answers.put(answer, expires)
    return there
  }

  keep({ session, results: changes, contact, answer, dropped, outgoing, facts }: KeepRequest): KeptRevision {
    const { sessions, results, contacts, answers, outbox, counts } = this.#rows
    const before = session && sessions.before(session)
    // A revision that is the next one is kept, so that what is written ahead of it stands.
    const isNext = session !== undefined && before?.revision === session.revision - 1
    const isJoined = contact !== undefined && isNext && contacts.join(contact)
    const met = contact && !isJoined ? contacts.meet(contact) : undefined
    if (contact && !isJoined && !met) return undefined
    const kept = session ? sessions.keep(session, before) : keptAlone
    if (!kept) return undefined
    if (changes) for (const change of changes) results.change(change, true)
    if (contact && met && session) contacts.keep(contact, session.id, met)
    if (answer) answers.put(answer.row, answer.expires)
    else if (dropped !== undefined) answers.remove(dropped)
    if (outgoing) outbox.put(outgoing)
    if (facts !== undefined) counts.keep(facts)
    return kept
  }

  erase(ids: readonly string[]): void {
    const { sessions, answers, outbox } = this.#rows
    const { clock, marks } = this.#context
    for (const id of ids) {
      sessions.erase(id)
      answers.removeOf(id)
      outbox.erase(id)
      marks.add('session', [id], clock.now + erasedMs)
    }
  }

  eraseContact(key: string): void {
    const { contacts, outbox, inbox } = this.#rows
    contacts.erase(key)
    outbox.erase(key)
    inbox.erase(key)
  }
}

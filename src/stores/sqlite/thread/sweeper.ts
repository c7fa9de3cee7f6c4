import { erasedContactMs } from '../../contact-store.ts'
import { startsShare } from '../../conversations/conversation-table.ts'
import { prepareAll } from './binding.ts'
import type { DefinitionRows } from './definition-rows.ts'
import type { InboxRows } from './outgoing/inbox-rows.ts'
import type { OutboxRows } from './outgoing/outbox-rows.ts'
import type { RowsContext } from './rows-context.ts'
import { uncountRows } from './tally.ts'

/** Rows that a step erases of each table, and pages that it gives back to the disk. */
const stepRows = 25

/** Answers of the surplus that a step erases: each may be large. */
const surplusAtOnce = 10

const texts = {
  touch: 'UPDATE sessions SET expires = ? WHERE id = ? AND expires < ?',
  dropSessions: `DELETE FROM sessions WHERE rowid IN
     (SELECT rowid FROM sessions WHERE (revision > 1) = ? AND expires < ? ORDER BY expires LIMIT ?)
   RETURNING id, expires, octet_length(text) AS size`,
  dropAnswers: `DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE expires < ? ORDER BY expires LIMIT ?)
   RETURNING name, expires, octet_length(text) AS size`,
  dropEarliestAnswers: `WITH earliest AS (
     SELECT rowid AS row, expires, octet_length(text) AS size FROM answers WHERE text IS NOT NULL
     ORDER BY expires, rowid LIMIT ${surplusAtOnce}
   ), room AS (SELECT row, sum(size) OVER (ORDER BY expires, row) - size AS freed FROM earliest)
   DELETE FROM answers WHERE rowid IN (SELECT row FROM room WHERE freed < ?)
   RETURNING name, expires, octet_length(text) AS size`,
  dropMarks: 'DELETE FROM marks WHERE rowid IN (SELECT rowid FROM marks WHERE expires < ? LIMIT ?)',
  dropResults: `DELETE FROM results WHERE number IN (SELECT number FROM results WHERE changed < ? LIMIT ?)
   RETURNING number, size`,
  dropLines: 'DELETE FROM result_lines WHERE result = ?',
  dropContacts: `DELETE FROM contacts WHERE rowid IN
     (SELECT rowid FROM contacts WHERE is_erased = ? AND last_seen < ? ORDER BY last_seen LIMIT ?)
   RETURNING key`,
  dropLinks: 'DELETE FROM contact_links WHERE contact = ?',
  unused: 'PRAGMA freelist_count',
}

const never = Number.MAX_SAFE_INTEGER

/** Rows that erase a step of theirs by themselves. */
interface SweptRows {
  readonly definitions: Pick<DefinitionRows, 'prune'>
  readonly outbox: Pick<OutboxRows, 'sweep'>
  readonly inbox: Pick<InboxRows, 'sweep'>
}

interface Dropped {
  readonly expires: number
  readonly size: number | null
}

interface Ended {
  readonly before: number
  readonly limit: number
  readonly now: number
}

/** Erases in steps, so that no turn waits long for one. */
export class Sweeper {
  readonly #context: RowsContext
  readonly #rows: SweptRows
  readonly #statements
  /** By so much less than its end a session is renewed: one that was read shortly before it goes a little later. */
  readonly #lagMs: number

  constructor(context: RowsContext, rows: SweptRows) {
    this.#context = context
    this.#rows = rows
    this.#statements = prepareAll(context.database, texts)
    this.#lagMs = context.bounds.sessionTtlMs / 24
  }

  usage() {
    const { sessions, answers, results } = this.#context.tallies
    return structuredClone({ sessions, answers, results })
  }

  /** Renews sessions that were read, and takes a step of erasing what is past its time. True when more is to do. */
  sweep(reads: readonly (readonly [id: string, at: number])[]): boolean {
    const { definitions, outbox, inbox } = this.#rows
    this.#renew(reads)
    const isMore = this.#step()
    const isMoreQueued = outbox.sweep(stepRows) + inbox.sweep(stepRows) >= stepRows
    return definitions.prune() || isMore || isMoreQueued
  }

  /** Sessions that were read live on. Those whose end would move by less than a part are left alone. */
  #renew(reads: readonly (readonly [id: string, at: number])[]): void {
    const { sessionTtlMs } = this.#context.bounds
    for (const [id, at] of reads)
      this.#statements.touch.run(at + sessionTtlMs, id, at + sessionTtlMs - this.#lagMs)
  }

  /** Erases what is past its time or its bound; true when there may be more. */
  #step(): boolean {
    const { dropAnswers, dropMarks } = this.#statements
    const { bounds, tallies, clock } = this.#context
    const { now } = clock
    const ended = { before: now - this.#lagMs, limit: stepRows, now }
    const counts = [
      this.#sessions(0, ended),
      this.#sessions(1, ended),
      this.#surplusSessions(now),
      uncountRows(tallies.answers, dropAnswers.all(now, stepRows)),
      this.#surplusAnswers(),
      Number(dropMarks.run(now, stepRows).changes),
      bounds.resultTtlMs === undefined ? 0 : this.#results(now - bounds.resultTtlMs),
      bounds.resultTtlMs === undefined ? 0 : this.#contacts(0, now - bounds.resultTtlMs),
      this.#contacts(1, now - erasedContactMs),
    ]
    const isMore = counts.some((count) => count >= 10)
    return this.#shrink() || isMore
  }

  #sessions(isAnswered: 0 | 1, { before, limit, now }: Ended): number {
    const { bounds, tallies, marks } = this.#context
    const rows = this.#statements.dropSessions.all<Dropped & { id: string }>(isAnswered, before, limit)
    for (const { id, expires } of rows)
      marks.add('expired', [id], Math.min(expires, now) + bounds.sessionTtlMs)
    const dropped = uncountRows(tallies.sessions, rows)
    if (isAnswered === 0) tallies.starts.entries -= dropped
    return dropped
  }

  #surplusSessions(now: number): number {
    const { bounds, tallies } = this.#context
    const surplus = Math.min(tallies.sessions.entries - bounds.maxSessions, stepRows)
    if (surplus <= 0) return 0
    const starts = Math.floor(tallies.starts.entries - bounds.maxSessions * startsShare)
    const dropped =
      starts > 0
        ? this.#sessions(0, { before: never, limit: Math.min(surplus, starts), now })
        : this.#sessions(1, { before: never, limit: surplus, now })
    tallies.sessions.evicted += dropped
    return dropped
  }

  #surplusAnswers(): number {
    const { bounds, tallies, marks } = this.#context
    const surplus = tallies.answers.bytes - bounds.maxAnswerBytes
    if (surplus <= 0) return 0
    const rows = this.#statements.dropEarliestAnswers.all<Dropped & { name: string }>(surplus)
    for (const { name, expires } of rows) marks.add('answer', [name], expires)
    const dropped = uncountRows(tallies.answers, rows)
    tallies.answers.evicted += dropped
    return dropped
  }

  #results(before: number): number {
    const { dropResults, dropLines } = this.#statements
    const rows = dropResults.all<{ number: number; size: number }>(before, stepRows)
    for (const { number } of rows) dropLines.run(number)
    return uncountRows(this.#context.tallies.results, rows)
  }

  #contacts(isErased: 0 | 1, before: number): number {
    const { dropContacts, dropLinks } = this.#statements
    const rows = dropContacts.all<{ key: string }>(isErased, before, stepRows)
    for (const { key } of rows) dropLinks.run(key)
    return rows.length
  }

  #shrink(): boolean {
    const free = this.#statements.unused.get<{ freelist_count: number }>()?.freelist_count ?? 0
    if (free > 0) this.#context.database.exec(`PRAGMA incremental_vacuum(${stepRows})`)
    return free > stepRows
  }
}

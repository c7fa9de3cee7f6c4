import { erasedContactMs } from '../../contact-store.ts'
import type { InboxBounds, OutboxBounds } from '../../outgoing/outbox-store.ts'
import type { Database } from './binding.ts'
import type { Marks } from './marks.ts'
import { countRow, type Tallies, type Tally } from './tally.ts'

/** Rows that a step erases of each table, and pages that it gives back to the disk. */
export const stepRows = 50

/** Answers of the surplus that a step erases: each may be large. */
const surplusAtOnce = 10

/** The part of all sessions that belongs to those which were only started, as in memory. */
const startsShare = 1 / 8

export interface DiskBounds {
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
  readonly maxSessions: number
  /** Of answers to requests with a key. */
  readonly maxAnswerBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly resultTtlMs: number | undefined
  readonly outbox: OutboxBounds
  readonly inbox: InboxBounds
}

function prepareStatements(database: Database) {
  return {
    touch: database.prepare('UPDATE sessions SET expires = ? WHERE id = ? AND expires < ?'),
    dropSessions: database.prepare(
      `DELETE FROM sessions WHERE rowid IN
       (SELECT rowid FROM sessions WHERE (revision > 1) = ? AND expires < ? ORDER BY expires LIMIT ?)
     RETURNING id, expires, octet_length(text) AS size`,
    ),
    dropAnswers: database.prepare(
      `DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE expires < ? ORDER BY expires LIMIT ?)
     RETURNING name, expires, octet_length(text) AS size`,
    ),
    dropEarliestAnswers: database.prepare(
      `WITH earliest AS (
       SELECT rowid AS row, expires, octet_length(text) AS size FROM answers WHERE text IS NOT NULL
       ORDER BY expires, rowid LIMIT ${surplusAtOnce}
     ), room AS (SELECT row, sum(size) OVER (ORDER BY expires, row) - size AS freed FROM earliest)
     DELETE FROM answers WHERE rowid IN (SELECT row FROM room WHERE freed < ?)
     RETURNING name, expires, octet_length(text) AS size`,
    ),
    dropMarks: database.prepare(
      'DELETE FROM marks WHERE rowid IN (SELECT rowid FROM marks WHERE expires < ? LIMIT ?)',
    ),
    dropResults: database.prepare(
      `DELETE FROM results WHERE number IN (SELECT number FROM results WHERE changed < ? LIMIT ?)
     RETURNING number, size`,
    ),
    dropLines: database.prepare('DELETE FROM result_lines WHERE result = ?'),
    dropContacts: database.prepare(
      `DELETE FROM contacts WHERE rowid IN
       (SELECT rowid FROM contacts WHERE is_erased = ? AND last_seen < ? ORDER BY last_seen LIMIT ?)
     RETURNING key`,
    ),
    dropLinks: database.prepare('DELETE FROM contact_links WHERE contact = ?'),
    unused: database.prepare('PRAGMA freelist_count'),
  }
}

const never = Number.MAX_SAFE_INTEGER

interface SweeperTerms {
  readonly bounds: DiskBounds
  readonly tallies: Tallies
  readonly marks: Marks
}

/** Erases in steps, so that no turn waits long for one. */
export class Sweeper {
  readonly #database: Database
  readonly #terms: SweeperTerms
  readonly #statements: ReturnType<typeof prepareStatements>
  /** By so much less than its end a session is renewed: one that was read shortly before it goes a little later. */
  readonly #lagMs: number

  constructor(database: Database, terms: SweeperTerms) {
    this.#database = database
    this.#terms = terms
    this.#statements = prepareStatements(database)
    this.#lagMs = terms.bounds.sessionTtlMs / 24
  }

  /** Sessions that were read live on. Those whose end would move by less than a part are left alone. */
  renew(reads: readonly (readonly [id: string, at: number])[]): void {
    const { sessionTtlMs } = this.#terms.bounds
    for (const [id, at] of reads)
      this.#statements.touch.run(at + sessionTtlMs, id, at + sessionTtlMs - this.#lagMs)
  }

  /** Erases what is past its time or its bound; true when there may be more. */
  step(now: number): boolean {
    const { dropAnswers, dropMarks } = this.#statements
    const { bounds, tallies } = this.#terms
    const ended = { before: now - this.#lagMs, limit: stepRows, now }
    const counts = [
      this.#sessions(0, ended),
      this.#sessions(1, ended),
      this.#surplusSessions(now),
      uncount(tallies.answers, dropAnswers.all(now, stepRows)),
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
    const { bounds, tallies, marks } = this.#terms
    const rows = this.#statements.dropSessions.all(isAnswered, before, limit) as {
      id: string
      expires: number
      size: number
    }[]
    for (const { id, expires } of rows)
      marks.add('expired', [id], Math.min(expires, now) + bounds.sessionTtlMs)
    const dropped = uncount(tallies.sessions, rows)
    if (isAnswered === 0) tallies.starts.entries -= dropped
    return dropped
  }

  #surplusSessions(now: number): number {
    const { bounds, tallies } = this.#terms
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
    const { bounds, tallies, marks } = this.#terms
    const surplus = tallies.answers.bytes - bounds.maxAnswerBytes
    if (surplus <= 0) return 0
    const rows = this.#statements.dropEarliestAnswers.all(surplus) as {
      name: string
      expires: number
      size: number | null
    }[]
    for (const { name, expires } of rows) marks.add('answer', [name], expires)
    const dropped = uncount(tallies.answers, rows)
    tallies.answers.evicted += dropped
    return dropped
  }

  #results(before: number): number {
    const { dropResults, dropLines } = this.#statements
    const rows = dropResults.all(before, stepRows) as { number: number; size: number }[]
    for (const { number } of rows) dropLines.run(number)
    return uncount(this.#terms.tallies.results, rows)
  }

  #contacts(isErased: 0 | 1, before: number): number {
    const { dropContacts, dropLinks } = this.#statements
    const rows = dropContacts.all(isErased, before, stepRows) as { key: string }[]
    for (const { key } of rows) dropLinks.run(key)
    return rows.length
  }

  #shrink(): boolean {
    const { freelist_count: free } = this.#statements.unused.get() as { freelist_count: number }
    if (free > 0) this.#database.exec(`PRAGMA incremental_vacuum(${stepRows})`)
    return free > stepRows
  }
}

interface Ended {
  readonly before: number
  readonly limit: number
  readonly now: number
}

function uncount(tally: Tally, rows: readonly unknown[]): number {
  for (const { size } of rows as { size: number | null }[]) if (size !== null) countRow(tally, size, -1)
  return rows.length
}

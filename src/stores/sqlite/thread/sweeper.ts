import { erasedContactMs } from '../../contact-store.ts'
import type { InboxBounds, OutboxBounds } from '../../outgoing/outbox-store.ts'
import type { Database } from './binding.ts'
import type { Marks } from './marks.ts'
import { countRow, type Tallies, type Tally } from './tally.ts'

/** Rows that a step erases of each table, and pages that it gives back to the disk. */
export const stepRows = 100

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

/** Erases in steps, so that no turn waits long for one. */
export function createSweeper(
  database: Database,
  {
    bounds,
    tallies,
    marks,
  }: { readonly bounds: DiskBounds; readonly tallies: Tallies; readonly marks: Marks },
) {
  const { sessionTtlMs, maxSessions, maxAnswerBytes, resultTtlMs } = bounds
  const lagMs = sessionTtlMs / 24
  const touch = database.prepare('UPDATE sessions SET expires = ? WHERE id = ? AND expires < ?')
  const dropSessions = database.prepare(
    `DELETE FROM sessions WHERE rowid IN
       (SELECT rowid FROM sessions WHERE (revision > 1) = ? AND expires < ? ORDER BY expires LIMIT ?)
     RETURNING id, expires, octet_length(text) AS size`,
  )
  const dropAnswers = database.prepare(
    `DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE expires < ? ORDER BY expires LIMIT ?)
     RETURNING name, expires, octet_length(text) AS size`,
  )
  const dropEarliestAnswers = database.prepare(
    `WITH earliest AS (
       SELECT rowid AS row, expires, octet_length(text) AS size FROM answers WHERE text IS NOT NULL
       ORDER BY expires, rowid LIMIT ${surplusAtOnce}
     ), room AS (SELECT row, sum(size) OVER (ORDER BY expires, row) - size AS freed FROM earliest)
     DELETE FROM answers WHERE rowid IN (SELECT row FROM room WHERE freed < ?)
     RETURNING name, expires, octet_length(text) AS size`,
  )
  const dropMarks = database.prepare(
    'DELETE FROM marks WHERE rowid IN (SELECT rowid FROM marks WHERE expires < ? LIMIT ?)',
  )
  const dropResults = database.prepare(
    `DELETE FROM results WHERE number IN (SELECT number FROM results WHERE changed < ? LIMIT ?)
     RETURNING number, size`,
  )
  const dropLines = database.prepare('DELETE FROM result_lines WHERE result = ?')
  const dropContacts = database.prepare(
    `DELETE FROM contacts WHERE rowid IN
       (SELECT rowid FROM contacts WHERE is_erased = ? AND last_seen < ? ORDER BY last_seen LIMIT ?)
     RETURNING key`,
  )
  const dropLinks = database.prepare('DELETE FROM contact_links WHERE contact = ?')
  const unused = database.prepare('PRAGMA freelist_count')
  const never = Number.MAX_SAFE_INTEGER

  const uncount = (tally: Tally, rows: readonly unknown[]): number => {
    for (const { size } of rows as { size: number | null }[]) if (size !== null) countRow(tally, size, -1)
    return rows.length
  }

  function sessions(isAnswered: 0 | 1, before: number, limit: number, now: number): number {
    const rows = dropSessions.all(isAnswered, before, limit) as {
      id: string
      expires: number
      size: number
    }[]
    for (const { id, expires } of rows) marks.add('expired', [id], Math.min(expires, now) + sessionTtlMs)
    const dropped = uncount(tallies.sessions, rows)
    if (isAnswered === 0) tallies.starts.entries -= dropped
    return dropped
  }

  function surplusSessions(now: number): number {
    const surplus = Math.min(tallies.sessions.entries - maxSessions, stepRows)
    if (surplus <= 0) return 0
    const starts = Math.floor(tallies.starts.entries - maxSessions * startsShare)
    const dropped =
      starts > 0 ? sessions(0, never, Math.min(surplus, starts), now) : sessions(1, never, surplus, now)
    tallies.sessions.evicted += dropped
    return dropped
  }

  function surplusAnswers(): number {
    const surplus = tallies.answers.bytes - maxAnswerBytes
    if (surplus <= 0) return 0
    const rows = dropEarliestAnswers.all(surplus) as { name: string; expires: number; size: number | null }[]
    for (const { name, expires } of rows) marks.add('answer', [name], expires)
    const dropped = uncount(tallies.answers, rows)
    tallies.answers.evicted += dropped
    return dropped
  }

  function results(before: number): number {
    const rows = dropResults.all(before, stepRows) as { number: number; size: number }[]
    for (const { number } of rows) dropLines.run(number)
    return uncount(tallies.results, rows)
  }

  function contacts(isErased: 0 | 1, before: number): number {
    const rows = dropContacts.all(isErased, before, stepRows) as { key: string }[]
    for (const { key } of rows) dropLinks.run(key)
    return rows.length
  }

  function shrink(): boolean {
    const { freelist_count: free } = unused.get() as { freelist_count: number }
    if (free > 0) database.exec(`PRAGMA incremental_vacuum(${stepRows})`)
    return free > stepRows
  }

  return {
    /** Sessions that were read live on. Those whose end would move by less than a part are left alone. */
    renew(reads: readonly (readonly [id: string, at: number])[]): void {
      for (const [id, at] of reads) touch.run(at + sessionTtlMs, id, at + sessionTtlMs - lagMs)
    },
    /** Erases what is past its time or its bound; true when there may be more. */
    step(now: number): boolean {
      // What was read shortly before its end is renewed a little later.
      const ended = now - lagMs
      const counts = [
        sessions(0, ended, stepRows, now),
        sessions(1, ended, stepRows, now),
        surplusSessions(now),
        uncount(tallies.answers, dropAnswers.all(now, stepRows)),
        surplusAnswers(),
        Number(dropMarks.run(now, stepRows).changes),
        resultTtlMs === undefined ? 0 : results(now - resultTtlMs),
        resultTtlMs === undefined ? 0 : contacts(0, now - resultTtlMs),
        contacts(1, now - erasedContactMs),
      ]
      const isMore = counts.some((count) => count >= 10)
      return shrink() || isMore
    },
  }
}

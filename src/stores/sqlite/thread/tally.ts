import type { Database } from './binding.ts'

/** How many rows there are and what their texts take, kept by hand: counting them reads every page of an index. */
export interface Tally {
  entries: number
  bytes: number
  evicted: number
}

export interface Tallies {
  readonly sessions: Tally
  /** Of the sessions, those that were only started. */
  readonly starts: Tally
  readonly answers: Tally
  readonly results: Tally
  /** Counts since the last call of `confirm` did not happen. */
  revert(): void
  confirm(): void
}

const queries = {
  sessions: 'SELECT count(*) AS entries, total(octet_length(text)) AS bytes FROM sessions',
  starts: 'SELECT count(*) AS entries, 0 AS bytes FROM sessions WHERE (revision > 1) = 0',
  answers:
    'SELECT count(*) AS entries, total(octet_length(text)) AS bytes FROM answers WHERE text IS NOT NULL',
  results: 'SELECT count(*) AS entries, total(size) AS bytes FROM results',
}

export function createTallies(database: Database): Tallies {
  const count = (query: string): Tally => {
    const counted = database.prepare(query).get() as Omit<Tally, 'evicted'>
    return { ...counted, evicted: 0 }
  }
  const now = {
    sessions: count(queries.sessions),
    starts: count(queries.starts),
    answers: count(queries.answers),
    results: count(queries.results),
  }
  const before = structuredClone(now)
  const copy = (from: typeof now, to: typeof now) => {
    for (const name of ['sessions', 'starts', 'answers', 'results'] as const)
      Object.assign(to[name], from[name])
  }
  return { ...now, revert: () => copy(before, now), confirm: () => copy(now, before) }
}

/** Counts one row more, or with -1 one row less. */
export function countRow(tally: Tally, bytes: number, rows: 1 | -1 = 1): void {
  tally.entries += rows
  tally.bytes += rows * bytes
}

/** Counts rows less by their sizes, of which those without a text have none; how many rows there are. */
export function uncountRows(tally: Tally, rows: readonly { readonly size: number | null }[]): number {
  for (const { size } of rows) if (size !== null) countRow(tally, size, -1)
  return rows.length
}

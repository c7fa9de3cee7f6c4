import type { Timers } from '../conversations/timers.ts'
import { dropUnnamedDefinitions } from '../definition-statements.ts'
import type { PostgresDatabase, Query, Statement } from '../postgres-database.ts'
import { dropOldResults } from '../results/result-statements.ts'
import {
  claimChore,
  countSessions,
  dropDeadLeases,
  dropDeadPlaces,
  dropExpiredAnswers,
  dropExpiredSessions,
  dropOldMarks,
  dropSurplusAnswers,
  dropSurplusPreviews,
  dropSurplusSessions,
  stepRows,
} from './sweep-statements.ts'

/** How much the database may hold, of all processes together. */
export interface PostgresBounds {
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
  /** Of live sessions, and of previews again. */
  readonly maxSessions: number
  readonly previewMaxBytes: number
  readonly maxAnswerBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly resultTtlMs: number | undefined
}

export interface SweeperOptions {
  readonly database: Pick<PostgresDatabase, 'transaction'>
  readonly bounds: PostgresBounds
  readonly timers: Timers
  /** Does what this process has to do by itself, as often. */
  alongside(): Promise<void>
  report(error: unknown): void
}

export interface Sweeper {
  /** Erases what is past its time or its bound, by steps. */
  sweep(): Promise<void>
  /** Erases definitions that nothing needs any more. */
  sweepDefinitions(): Promise<void>
  close(): void
}

const sweepMs = 10_000
const definitionsMs = 60 * 60 * 1000

/** How long a result stays erased: no turn that was under way is as old. */
const erasedMs = 365 * 24 * 60 * 60 * 1000

/** The part of all sessions that belongs to those which were only started, as in memory. */
const startsShare = 1 / 8

/** Steps of one kind that a sweep takes, so that the others come to their turn. */
const mostSteps = 20

/** Erases for all processes: one of them at a time, each time another one perhaps. */
export function createPostgresSweeper(options: SweeperOptions): Sweeper {
  const { database, bounds, timers, alongside, report } = options
  const { sessionTtlMs: ttlMs, maxSessions } = bounds
  let isClosed = false

  const run = (statement: Statement, values: readonly unknown[] = []) =>
    database.transaction((query: Query) => query(statement, values))

  async function repeat(statement: Statement, values: readonly unknown[]): Promise<void> {
    for (let steps = 0; steps < mostSteps && !isClosed; steps++)
      if ((await run(statement, values)).length < stepRows) return
  }

  async function dropSurplusLive(): Promise<void> {
    const [counts] = (await run(countSessions)) as { starts: number; all: number }[]
    if (!counts) return
    const surplus = counts.all - maxSessions
    if (surplus <= 0) return
    const starts = Math.min(surplus, Math.max(0, counts.starts - Math.floor(maxSessions * startsShare)))
    if (starts > 0) await run(dropSurplusSessions, [ttlMs, false, false, starts])
    if (surplus > starts) await run(dropSurplusSessions, [ttlMs, false, true, surplus - starts])
  }

  async function sweep(): Promise<void> {
    for (const isPreview of [false, true])
      for (const hasTurns of [false, true]) await repeat(dropExpiredSessions, [ttlMs, isPreview, hasTurns])
    await dropSurplusLive()
    await run(dropSurplusPreviews, [ttlMs, maxSessions, bounds.previewMaxBytes])
    await repeat(dropExpiredAnswers, [])
    await run(dropSurplusAnswers, [bounds.maxAnswerBytes])
    await repeat(dropOldMarks, [])
    await run(dropDeadLeases)
    await run(dropDeadPlaces)
    const now = Date.now()
    const oldest = bounds.resultTtlMs === undefined ? Number.MIN_SAFE_INTEGER : now - bounds.resultTtlMs
    await repeat(dropOldResults, [oldest, now - erasedMs, stepRows])
  }

  async function sweepDefinitions(): Promise<void> {
    await run(dropUnnamedDefinitions, [Math.max(ttlMs, definitionsMs)])
  }

  async function ifDue(name: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    if ((await run(claimChore, [name, everyMs])).length > 0) await work()
  }

  async function tick(): Promise<void> {
    try {
      await alongside()
      await ifDue('sweep', sweepMs, sweep)
      await ifDue('sweep definitions', definitionsMs, sweepDefinitions)
    } catch (error) {
      if (!isClosed) report(error)
    }
  }

  function schedule(): void {
    timers.after(sweepMs, () => {
      if (!isClosed) void tick().finally(schedule)
    })
  }

  schedule()
  return {
    sweep,
    sweepDefinitions,
    close() {
      isClosed = true
    },
  }
}

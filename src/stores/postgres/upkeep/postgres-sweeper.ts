import type { Timers } from '../../timers.ts'
import { dropUnnamedDefinitions } from '../definition-statements.ts'
import type { PostgresDatabase, Query, Statement } from '../postgres-database.ts'
import { dropOldErasures, dropOldResults } from '../results/result-statements.ts'
import { stepRows } from './step-rows.ts'
import {
  claimChore,
  countSessions,
  dropDeadLeases,
  dropExpiredAnswers,
  dropExpiredSessions,
  dropOldMarks,
  dropSurplusAnswers,
  dropSurplusPreviews,
  dropSurplusSessions,
  putOffChore,
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
  /** Erases what is past its time, by steps: as much work as there is to erase, however much is kept. */
  sweep(): Promise<void>
  /** Erases what is beyond a bound. That is found by counting all, so it is done more rarely the longer it takes. */
  makeRoom(): Promise<void>
  /** Erases definitions that nothing needs any more. */
  sweepDefinitions(): Promise<void>
  close(): void
}

const sweepMs = 10_000

/** Of the time that counting what is there takes: how long it is not done again. */
const restFactor = 100
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

  async function dropSurplus(hasTurns: boolean, surplus: number): Promise<void> {
    for (let left = surplus; left > 0 && !isClosed; left -= stepRows)
      if ((await run(dropSurplusSessions, [ttlMs, false, hasTurns, left])).length === 0) return
  }

  async function dropSurplusLive(): Promise<void> {
    const [counts] = (await run(countSessions)) as { starts: number; all: number }[]
    if (!counts) return
    const surplus = counts.all - maxSessions
    if (surplus <= 0) return
    const starts = Math.min(surplus, Math.max(0, counts.starts - Math.floor(maxSessions * startsShare)))
    await dropSurplus(false, starts)
    await dropSurplus(true, surplus - starts)
  }

  async function makeRoom(): Promise<void> {
    await dropSurplusLive()
    await run(dropSurplusPreviews, [ttlMs, maxSessions, bounds.previewMaxBytes])
    await run(dropSurplusAnswers, [bounds.maxAnswerBytes])
  }

  async function sweep(): Promise<void> {
    for (const isPreview of [false, true])
      for (const hasTurns of [false, true]) await repeat(dropExpiredSessions, [ttlMs, isPreview, hasTurns])
    await repeat(dropExpiredAnswers, [])
    await repeat(dropOldMarks, [])
    await run(dropDeadLeases)
    if (bounds.resultTtlMs !== undefined) await repeat(dropOldResults, [bounds.resultTtlMs])
    await repeat(dropOldErasures, [erasedMs])
  }

  async function sweepDefinitions(): Promise<void> {
    await run(dropUnnamedDefinitions, [Math.max(ttlMs, definitionsMs)])
  }

  async function ifDue(name: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    if ((await run(claimChore, [name, everyMs])).length === 0) return
    const start = performance.now()
    await work()
    const restMs = Math.round(restFactor * (performance.now() - start))
    if (restMs > everyMs) await run(putOffChore, [name, restMs])
  }

  async function tick(): Promise<void> {
    try {
      await alongside()
      await ifDue('sweep', sweepMs, sweep)
      await ifDue('make room', sweepMs, makeRoom)
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
    makeRoom,
    sweepDefinitions,
    close() {
      isClosed = true
    },
  }
}

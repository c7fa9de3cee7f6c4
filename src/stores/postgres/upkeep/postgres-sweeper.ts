import { erasedContactMs } from '../../contact-store.ts'
import { longestAwayMs, startsShare } from '../../conversations/conversation-table.ts'
import { inSteps } from '../../in-steps.ts'
import { queueBoundsOf, type StoreBounds } from '../../store-bounds.ts'
import { repeating, type Timers } from '../../timers.ts'
import type { PostgresCountStore } from '../counts/postgres-count-store.ts'
import { dropUnnamedDefinitions } from '../definition-statements.ts'
import { queueStatements } from '../outgoing/queue-statements.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import {
  claimChore,
  countSessions,
  dropOldAnswers,
  dropOldContacts,
  dropOldErasures,
  dropOldLeases,
  dropOldMarks,
  dropOldRequestCounts,
  dropOldResults,
  dropSessions,
  emptyAnswers,
  findSurplusAnswers,
  findSurplusPreviews,
  findSurplusSessions,
  putOffChore,
  readClock,
  reviveSessions,
  stepRows,
} from './sweep-statements.ts'

export interface PostgresBounds extends StoreBounds {
  readonly previewMaxBytes: number
}

interface SweeperOptions {
  readonly database: Pick<PostgresDatabase, 'transaction'>
  readonly bounds: PostgresBounds
  readonly timers: Timers
  readonly counts: Pick<PostgresCountStore, 'fold' | 'sweep'>
  /** Does what this process has to do by itself, as often. */
  alongside(): Promise<void>
  report(error: unknown): void
}

const sweepMs = 10_000

/** Of the time that counting what is there takes: how long it is not done again. */
const restFactor = 100

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

/** How long a result stays erased: no turn that was under way is as old. */
const erasedMs = 365 * 24 * hourMs

/** Steps of one kind that a sweep takes, so that the others come to their turn. */
const mostSteps = 100

/** Steps that count turns at once: so many turns no server takes in the meantime. */
const mostCountSteps = 200

/** Erases for all processes: one of them at a time, each time another one perhaps. */
export class PostgresSweeper {
  readonly #options: SweeperOptions
  #isClosed = false

  constructor(options: SweeperOptions) {
    this.#options = options
    const isWanted = () => !this.#isClosed
    repeating({ timers: options.timers, pauseMs: sweepMs, isWanted, work: () => this.#tick() })()
  }

  /** Erases what is past its time, by steps: as much work as there is to erase, however much is kept. */
  async sweep(): Promise<void> {
    const { sessionTtlMs, resultTtlMs } = this.#options.bounds
    const [{ now } = { now: 0 }] = await this.#run<{ now: number }>(readClock)
    await this.#repeat(reviveSessions, [now, now - longestAwayMs, sessionTtlMs], Infinity)
    for (const isPreview of [false, true])
      for (const hasTurns of [false, true])
        await this.#repeat(dropSessions, [isPreview, hasTurns, now, sessionTtlMs])
    await this.#repeat(dropOldAnswers, [now])
    await this.#repeat(dropOldMarks, [now])
    await this.#repeat(dropOldRequestCounts, [now])
    await this.#repeat(dropOldLeases, [now - minuteMs])
    await this.#repeat(dropOldContacts, [true, now - erasedContactMs])
    if (resultTtlMs !== undefined) await this.#repeat(dropOldContacts, [false, now - resultTtlMs])
    // Changes are noted to the hour.
    if (resultTtlMs !== undefined) await this.#repeat(dropOldResults, [now - hourMs - resultTtlMs])
    await this.#repeat(dropOldErasures, [now - erasedMs])
    const bounds = queueBoundsOf(this.#options.bounds)
    for (const queue of ['outbox', 'inbox'] as const) {
      const { deliveredMs, setAsideMs, maxEvents } = bounds[queue]
      const { dropOld, dropSurplus } = queueStatements[queue]
      await this.#repeat(dropOld, [true, now - deliveredMs])
      await this.#repeat(dropOld, [false, now - setAsideMs])
      await this.#repeat(dropSurplus, [maxEvents])
    }
  }

  /** Erases what is beyond a bound. That is found by counting all, so it is done more rarely the longer it takes. */
  async makeRoom(): Promise<void> {
    const { sessionTtlMs, maxSessions, previewMaxBytes, maxAnswerBytes } = this.#options.bounds
    await this.#dropSurplusLive()
    const previews = await this.#find(findSurplusPreviews, [maxSessions, previewMaxBytes])
    for (const hasTurns of [false, true])
      await this.#repeat(dropSessions, [true, hasTurns, previews, sessionTtlMs])
    await this.#repeat(emptyAnswers, [await this.#find(findSurplusAnswers, [maxAnswerBytes])])
  }

  /** Counts what turns have left since. */
  async count(): Promise<void> {
    const { counts } = this.#options
    const [{ now } = { now: 0 }] = await this.#run<{ now: number }>(readClock)
    for (let steps = 0; steps < mostCountSteps && !this.#isClosed; steps++) if (!(await counts.fold())) break
    for (let steps = 0; steps < mostSteps && !this.#isClosed; steps++) if (!(await counts.sweep(now))) return
  }

  /** Erases definitions that nothing needs any more. */
  async sweepDefinitions(): Promise<void> {
    await this.#run(dropUnnamedDefinitions, [Math.max(this.#options.bounds.sessionTtlMs, hourMs)])
  }

  close(): void {
    this.#isClosed = true
  }

  async #tick(): Promise<void> {
    try {
      await this.#options.alongside()
      await this.#ifDue('sweep', sweepMs, () => this.sweep())
      await this.#ifDue('count', sweepMs, () => this.count())
      await this.#ifDue('make room', sweepMs, () => this.makeRoom(), restFactor)
      await this.#ifDue('sweep definitions', hourMs, () => this.sweepDefinitions(), restFactor)
    } catch (error) {
      if (!this.#isClosed) this.#options.report(error)
    }
  }

  async #ifDue(name: string, everyMs: number, work: () => Promise<void>, restFactor = 0): Promise<void> {
    if ((await this.#run(claimChore, [name, everyMs])).length === 0) return
    const start = performance.now()
    await work()
    const restMs = Math.round(restFactor * (performance.now() - start))
    if (restMs > everyMs) await this.#run(putOffChore, [name, restMs])
  }

  async #dropSurplusLive(): Promise<void> {
    const { sessionTtlMs, maxSessions } = this.#options.bounds
    const [counts] = await this.#run<{ starts: number; all: number }>(countSessions)
    const surplus = (counts?.all ?? 0) - maxSessions
    if (!counts || surplus <= 0) return
    const starts = Math.min(surplus, Math.max(0, counts.starts - Math.floor(maxSessions * startsShare)))
    for (const [hasTurns, count] of [
      [false, starts],
      [true, surplus - starts],
    ] as const) {
      const before = count > 0 ? await this.#find(findSurplusSessions, [hasTurns, count]) : 0
      await this.#repeat(dropSessions, [false, hasTurns, before, sessionTtlMs], Infinity)
    }
  }

  /** The time that a statement finds; 0 where it finds none, before which nothing is. */
  async #find(statement: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.#run<{ before: number | null }>(statement, values)
    return row?.before ?? 0
  }

  async #repeat(statement: string, values: readonly unknown[], most = mostSteps): Promise<void> {
    let steps = 0
    await inSteps(async () => {
      if (steps++ >= most || this.#isClosed) return false
      return (await this.#run(statement, values)).length >= stepRows
    })
  }

  #run<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#options.database.transaction((query) => query<Row>(statement, values))
  }
}

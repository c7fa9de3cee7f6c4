import { ServiceError } from '../../../lib/errors.ts'
import type { ConversationUsage, DueSession } from '../../conversation-store.ts'
import type {
  Acquired,
  AcquireRequest,
  ConversationTable,
  Held,
  LeaseRenewal,
  SessionRow,
  TurnWrite,
} from '../../conversations/conversation-table.ts'
import type { StoreUsage } from '../../store-usage.ts'
import { systemTimers, type Timers } from '../../timers.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import { batchStatements, columnsOf, groupByNumber, type Numbered } from '../statement-batch.ts'
import { type AcquiredRow, acquiredOf, acquireSessions, columnsOfAcquired } from './acquire-statement.ts'
import { commitOf } from './commit-statement.ts'
import {
  dueSessions,
  eraseSessions,
  type FoundRow,
  measureAnswers,
  measureSessions,
  putPayload,
  readSessions,
  releaseLeases,
  renewLeases,
  renewSession,
  sessionRowOf,
  whySessionIsMissing,
} from './session-statements.ts'
import { SessionWatch } from './session-watch.ts'

interface PostgresConversationTableOptions {
  readonly database: PostgresDatabase
  readonly writer: Pick<ResultWriter, 'compact'>
  /** How long a session lives after its last use, in milliseconds. */
  readonly ttlMs: number
  /** How long an answer is kept, in milliseconds. */
  readonly answerMs: number
  readonly leaseMs?: number
  readonly timers?: Timers
}

const usualLeaseMs = 8_000

/** The end of a session is moved in steps of this part of its life. */
const slackShare = 1 / 24

/** How long an erased id stays so at least: no turn and no start under way is as old. */
const erasedMs = 7 * 24 * 60 * 60 * 1000

/** Characters of one session. What flows may keep is bounded far below. */
const mostCharacters = 32 * 1024 * 1024

/** Leases that one statement takes: as many sessions are erased at once. */
const mostAcquired = 500

type ReadRow = FoundRow & Numbered & { readonly isLagging: boolean }

/** Conversations as rows of a database that several processes share. Nothing of them is kept here between turns. */
export class PostgresConversationTable implements ConversationTable {
  readonly renewal: LeaseRenewal
  readonly #options: PostgresConversationTableOptions
  readonly #query: PostgresDatabase['query']
  /** The end of a session may lag by so much, and is later for it. */
  readonly #slackMs: number
  readonly #watch: SessionWatch
  readonly #usages: readonly (() => Promise<StoreUsage>)[]
  readonly #readBatched = batchStatements((ids: readonly string[]) => this.#readAll(ids))
  readonly #acquireBatched = batchStatements(
    (requests: readonly AcquireRequest[]) => this.#acquireAll(requests),
    {
      maxRequests: mostAcquired,
      // A statement can claim each key once.
      nameOf: ({ claim }) => claim?.name,
    },
  )
  readonly #commitBatched = batchStatements((turns: readonly TurnWrite[]) => this.#commitAll(turns), {
    // A statement can write each person once.
    nameOf: ({ contact }) => contact?.key,
  })

  constructor(options: PostgresConversationTableOptions) {
    const { database, ttlMs, leaseMs = usualLeaseMs, timers = systemTimers } = options
    this.renewal = { leaseMs, renew: (held) => this.#renew(held) }
    this.#options = options
    this.#query = database.query
    this.#slackMs = Math.ceil(ttlMs * slackShare)
    this.#watch = new SessionWatch(database, timers)
    /** Goes through a whole table. */
    const counted = (statement: string, values: readonly unknown[] = []) =>
      createCountedUsage(() => database.transaction((query) => query(statement, values)))
    this.#usages = [
      counted(measureSessions, [false]),
      counted(measureSessions, [true]),
      counted(measureAnswers),
    ]
  }

  async read(id: string): Promise<readonly SessionRow[]> {
    const rows = await this.#readBatched(id)
    const [first] = rows
    if (first?.isLagging)
      await this.#query(renewSession, [id, first.kind === 'preview', this.#options.ttlMs, this.#slackMs])
    return rows.map(sessionRowOf)
  }

  async whyMissing(id: string): Promise<'expired' | 'erased' | undefined> {
    const values = [id, this.#options.ttlMs]
    const [row] = await this.#query<{ why: 'expired' | 'erased' }>(whySessionIsMissing, values)
    return row?.why
  }

  acquire(request: AcquireRequest): Promise<Acquired> {
    return this.#acquireBatched(request)
  }

  async commit(turn: TurnWrite): Promise<'kept' | 'lost'> {
    const { length } = turn.text
    if (length > mostCharacters) {
      const message = `The session takes ${length} characters to keep, more than the ${mostCharacters} of a row`
      throw new ServiceError('PAYLOAD_TOO_LARGE', message)
    }
    if (!(await this.#commitBatched(turn))) return 'lost'
    this.#watch.wake(turn.id)
    return 'kept'
  }

  async release(held: readonly Held[], { isAbandoned } = { isAbandoned: false }): Promise<void> {
    await this.#query(releaseLeases, [...columnsOf(held, 'id', 'token', 'claim'), isAbandoned])
    for (const { id } of held) this.#watch.wake(id)
  }

  async erase(held: readonly Held[]): Promise<ReadonlySet<string>> {
    const values = [...columnsOf(held, 'id', 'token'), Math.max(2 * this.#options.ttlMs, erasedMs)]
    const rows = await this.#query<{ id: string }>(eraseSessions, values)
    for (const { id } of rows) this.#watch.wake(id)
    return new Set(rows.map(({ id }) => id))
  }

  async putPayload(id: string, revision: number, text: string): Promise<boolean> {
    const rows = await this.#query(putPayload, [id, revision, text])
    if (rows.length > 0) this.#watch.wake(id)
    return rows.length > 0
  }

  due(limit: number): Promise<readonly DueSession[]> {
    return this.#query<DueSession>(dueSessions, [limit])
  }

  watch(id: string, wake: () => void): Promise<() => void> {
    return this.#watch.watch(id, wake)
  }

  async usage(): Promise<ConversationUsage> {
    const [live, previews, answers] = await Promise.all(this.#usages.map((count) => count()))
    return { live, previews, answers } as ConversationUsage
  }

  async #renew(held: readonly Held[]): Promise<ReadonlySet<string>> {
    const claims = held.flatMap(({ claim }) => claim ?? [])
    const values = [...columnsOf(held, 'id', 'token'), claims, this.renewal.leaseMs]
    const rows = await this.#query<{ token: string }>(renewLeases, values)
    return new Set(rows.map(({ token }) => token))
  }

  async #readAll(ids: readonly string[]): Promise<readonly (readonly ReadRow[])[]> {
    const rows = await this.#query<ReadRow>(readSessions, [ids, this.#options.ttlMs])
    return groupByNumber(ids, rows)
  }

  async #acquireAll(requests: readonly AcquireRequest[]): Promise<readonly Acquired[]> {
    const times = [this.renewal.leaseMs, this.#options.answerMs]
    const values = [...columnsOfAcquired(requests), ...times]
    const rows = await this.#query<AcquiredRow>(acquireSessions, values)
    return groupByNumber(requests, rows).map(acquiredOf)
  }

  async #commitAll(turns: readonly TurnWrite[]): Promise<readonly boolean[]> {
    const { writer, ttlMs, answerMs } = this.#options
    const { statement, values } = commitOf(turns, { ttlMs, slackMs: this.#slackMs, answerMs })
    const rows = await this.#query<{ kept: number | null; full: number | null }>(statement, values)
    writer.compact(rows.flatMap(({ full }) => full ?? []))
    const kept = new Set(rows.map(({ kept }) => kept))
    return turns.map((_, index) => kept.has(index + 1))
  }
}

import { ServiceError } from '../../../lib/errors.ts'
import { writeMemory } from '../../codec/contact-memory.ts'
import { writeChange } from '../../codec/result-codec.ts'
import { dueAfter } from '../../codec/result-retention.ts'
import type { ContactWrite } from '../../contact-store.ts'
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
import { writeFacts } from '../../counts/turn-facts.ts'
import type { ResultUpdate } from '../../result-store.ts'
import type { StoreUsage } from '../../store-usage.ts'
import { systemTimers, type Timers } from '../../timers.ts'
import { createCountedUsage } from '../counted-usage.ts'
import { outboxColumnsOf } from '../outgoing/outbox-statements.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { searchedColumns } from '../results/result-row.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import { batchStatements, groupByNumber } from '../statement-batch.ts'
import { acquireSessions } from './acquire-statement.ts'
import { commitOutgoing, commitTurns, commitWithContacts } from './commit-statement.ts'
import {
  dueSessions,
  eraseSessions,
  measureAnswers,
  measureSessions,
  putPayload,
  readSessions,
  releaseLeases,
  renewLeases,
  renewSession,
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

/** A session as a statement returns it. */
interface FoundRow {
  readonly kind: SessionRow['kind']
  readonly text: string
  readonly payloadNumber: number
  readonly payload: string | null
}

type ReadRow = FoundRow & { readonly n: number; readonly isLagging: boolean }

type AcquiredRow = { [column in keyof FoundRow]: FoundRow[column] | null } & {
  readonly n: number
  readonly id: string
  readonly state: Acquired['state']
  /** Of what the key was claimed with, where it was. */
  readonly fingerprint: string
  readonly answer: string | null
}

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
    await this.#query(releaseLeases, [
      held.map(({ id }) => id),
      held.map(({ token }) => token),
      held.map(({ claim }) => claim ?? null),
      isAbandoned,
    ])
    for (const { id } of held) this.#watch.wake(id)
  }

  async erase(held: readonly Held[]): Promise<ReadonlySet<string>> {
    const rows = await this.#query<{ id: string }>(eraseSessions, [
      held.map(({ id }) => id),
      held.map(({ token }) => token),
      Math.max(2 * this.#options.ttlMs, erasedMs),
    ])
    for (const { id } of rows) this.#watch.wake(id)
    return new Set(rows.map(({ id }) => id))
  }

  async putPayload(id: string, revision: number, text: string): Promise<boolean> {
    const rows = await this.#query(putPayload, [id, revision, storableText(text)])
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
    const rows = await this.#query<{ token: string }>(renewLeases, [
      held.map(({ id }) => id),
      held.map(({ token }) => token),
      held.flatMap(({ claim }) => claim ?? []),
      this.renewal.leaseMs,
    ])
    return new Set(rows.map(({ token }) => token))
  }

  async #readAll(ids: readonly string[]): Promise<readonly (readonly ReadRow[])[]> {
    const rows = await this.#query<ReadRow>(readSessions, [ids, this.#options.ttlMs])
    return groupByNumber(ids, rows)
  }

  async #acquireAll(requests: readonly AcquireRequest[]): Promise<readonly Acquired[]> {
    const rows = await this.#query<AcquiredRow>(acquireSessions, [
      requests.map(({ id }) => id),
      requests.map(({ token }) => token),
      requests.map(({ needs }) => needs),
      requests.map(({ isClaimOnly }) => isClaimOnly === true),
      requests.map(({ claim }) => claim?.name ?? null),
      requests.map(({ claim }) => claim?.fingerprint ?? null),
      this.renewal.leaseMs,
      this.#options.answerMs,
    ])
    return groupByNumber(requests, rows).map(acquiredOf)
  }

  async #commitAll(turns: readonly TurnWrite[]): Promise<readonly boolean[]> {
    const { writer, ttlMs, answerMs } = this.#options
    const updates = turns.flatMap(({ results }, index) =>
      results.map((update) => ({ update, number: index + 1 })),
    )
    const outgoing = turns.flatMap(({ outgoing = [] }, index) =>
      outgoing.map((event) => ({ ...event, number: index + 1 })),
    )
    const contacts = turns.flatMap(({ contact }, index) =>
      contact ? [{ ...contact, number: index + 1 }] : [],
    )
    const isMet = contacts.length > 0
    const isSending = outgoing.length > 0
    const statement = isMet ? commitWithContacts : isSending ? commitOutgoing : commitTurns
    const rows = await this.#query<{ kept: number | null; full: number | null }>(statement, [
      turns.map(({ id }) => id),
      turns.map(({ kind }) => kind === 'preview'),
      turns.map(({ token }) => token ?? null),
      turns.map(({ revision }) => revision),
      turns.map(({ text }) => text),
      turns.map(({ droppedPayload }) => droppedPayload),
      turns.map(({ claim }) => claim ?? null),
      turns.map(({ answer }) => (answer === undefined ? null : storableText(answer))),
      turns.map(({ dueIn }) => dueIn ?? null),
      updates.map(({ number }) => number),
      updates.map(({ update }) => storableText(update.flowId)),
      updates.map(({ update }) => storableText(update.id)),
      updates.map(({ update }) => update.now),
      updates.map(({ update }) => writeChange(update)),
      ttlMs,
      this.#slackMs,
      answerMs,
      ...(isSending || isMet ? outboxColumnsOf(outgoing) : []),
      ...(isMet ? columnsOfContacts(contacts) : []),
      updates.map(({ update }) => writtenVisit(update)),
      updates.map(({ update }) => dueAfter(update) ?? null),
      ...searchedColumns(updates.map(({ update }) => update)),
      turns.map(({ facts }) => facts && storableText(writeFacts(facts))),
    ])
    writer.compact(rows.flatMap(({ full }) => full ?? []))
    const kept = new Set(rows.map(({ kept }) => kept))
    return turns.map((_, index) => kept.has(index + 1))
  }
}

function writtenVisit({ visit }: ResultUpdate): string | null {
  if (!visit) return null
  const { version, path, cohort, place, askedAt } = visit
  // Half a character, as a cut may leave it, is nothing that a jsonb takes.
  return JSON.stringify([version, path, cohort, place.toWellFormed(), askedAt])
}

function columnsOfContacts(contacts: readonly (ContactWrite & { readonly number: number })[]): unknown[] {
  const links = contacts.flatMap(({ links, number }) => links.map((link) => ({ ...link, number })))
  return [
    contacts.map(({ number }) => number),
    contacts.map(({ key }) => key),
    contacts.map(({ readAt }) => readAt),
    contacts.map(({ profile }) => profile ?? null),
    contacts.map(({ memory }) => (memory ? writeMemory(memory) : null)),
    links.map(({ number }) => number),
    links.map(({ flowId }) => storableText(flowId)),
    links.map(({ resultId }) => storableText(resultId)),
  ]
}

function acquiredOf(rows: readonly AcquiredRow[]): Acquired {
  const [{ state, id, fingerprint, answer }] = rows as [AcquiredRow]
  if (state === 'acquired') return { state, id, rows: rows.filter(isFound).map(sessionRowOf) }
  if (state === 'busy') return { state, id }
  return state === 'absent' ? { state } : { state, fingerprint, answer: answer ?? undefined }
}

/** Columns that an outer join may have left empty. */
function isFound(row: AcquiredRow): row is AcquiredRow & FoundRow {
  return row.text !== null
}

function sessionRowOf({ kind, text, payloadNumber, payload }: FoundRow): SessionRow {
  return { kind, text, payload: payload === null ? undefined : { number: payloadNumber, text: payload } }
}

import { nanoid } from 'nanoid'
import { ServiceError } from '../../../lib/errors.ts'
import type {
  ConversationStore,
  Entered,
  EnteredStart,
  IdempotencyKey,
  NotEntered,
  StoredConversation,
} from '../../conversation-store.ts'
import { systemTimers, type Timers } from '../../timers.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase, Statement } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import { createStatementBatch } from '../statement-batch.ts'
import { eraseSessions } from './keep-statements.ts'
import type { PostgresLease } from './postgres-lease.ts'
import { createSessionAdmission, placeLost } from './session-admission.ts'
import type { EntranceRequest } from './session-entrance.ts'
import { conversationOfRow, liveFirst, type SessionRow } from './session-row.ts'
import {
  lookAtSessions,
  measureAnswers,
  measureSessions,
  receivePayload,
  renewSession,
  whySessionIsMissing,
} from './session-statements.ts'
import { createSessionWatch } from './session-watch.ts'
import { createTurnKeeper } from './turn-keeper.ts'

export interface PostgresConversationsOptions {
  readonly database: PostgresDatabase
  readonly writer: ResultWriter
  /** How long a session lives after its last use. */
  readonly ttlMs: number
  /** How long an answer is kept. */
  readonly answerMs: number
  /** Turns that wait for one session, besides the one that runs. */
  readonly maxQueuedTurns: number
  /** After this, a lease that its process does not renew is lost. */
  readonly leaseMs?: number
  readonly timers?: Timers
  /** Milliseconds of a clock that only goes forward. */
  elapsed?(): number
  /** What distinguishes the leases of this process from others. */
  readonly processName?: string
}

const usualLeaseMs = 8_000

/** The end of a session is moved in steps of this part of its life. */
const slackShare = 1 / 24

/** How long an erased id stays so at least: no turn and no start under way is as old. */
const erasedMs = 7 * 24 * 60 * 60 * 1000

type LookedAt = SessionRow & { readonly n: number; readonly isLagging: boolean }

/** Opens conversations that a database keeps for several processes. Nothing of them is kept here between turns. */
export function openPostgresConversations(options: PostgresConversationsOptions): ConversationStore {
  const { database, writer, ttlMs, answerMs, maxQueuedTurns, leaseMs = usualLeaseMs } = options
  const { timers = systemTimers, elapsed = () => performance.now(), processName = nanoid(12) } = options
  const { query } = database
  /** Goes through a whole table. */
  const count = (statement: Statement, values: readonly unknown[] = []) =>
    database.transaction((query) => query<{ entries: number; bytes: number }>(statement, values))
  const slackMs = Math.ceil(ttlMs * slackShare)
  const watch = createSessionWatch(database, timers)
  const admission = createSessionAdmission({
    database,
    timers,
    leaseMs,
    answerMs,
    maxQueuedTurns,
    elapsed,
    processName,
  })
  const turns = createTurnKeeper({ database, writer, ttlMs, slackMs, answerMs })
  const liveUsage = createCountedUsage(() => count(measureSessions, [false]))
  const previewUsage = createCountedUsage(() => count(measureSessions, [true]))
  const answerUsage = createCountedUsage(() => count(measureAnswers))

  const looks = createStatementBatch<string, readonly LookedAt[]>(async (ids) => {
    const rows = await query<LookedAt>(lookAtSessions, [ids, ttlMs])
    return ids.map((_, index) => rows.filter(({ n }) => n === index + 1))
  })

  /** Those that were still held. */
  async function eraseHeld(leases: readonly PostgresLease[]): Promise<ReadonlySet<string>> {
    const rows = await query<{ id: string }>(eraseSessions, [
      leases.map(({ id }) => id),
      leases.map(({ token }) => token),
      Math.max(2 * ttlMs, erasedMs),
    ])
    return new Set(rows.map(({ id }) => id))
  }

  const erasures = createStatementBatch<PostgresLease, boolean>(async (leases) => {
    const erased = await eraseHeld(leases)
    return leases.map(({ id }) => erased.has(id))
  })

  function claimOf(scope: string, idempotency: IdempotencyKey | undefined): EntranceRequest['claim'] {
    return idempotency && { name: `${scope} ${idempotency.key}`, fingerprint: idempotency.fingerprint }
  }

  return {
    async look(id) {
      const row = liveFirst(await looks.send(id))
      if (!row) return undefined
      if (row.isLagging) await query(renewSession, [id, row.isPreview, ttlMs, slackMs])
      return conversationOfRow(row)
    },
    async whyMissing(id) {
      const rows = await query<{ isErased: boolean }>(whySessionIsMissing, [id, ttlMs])
      return rows.length === 0 || rows.some(({ isErased }) => isErased) ? 'unknown' : 'expired'
    },
    async enter({ id, idempotency }): Promise<Entered | NotEntered> {
      const outcome = await admission.letIn({ id, needsSession: true, claim: claimOf(id, idempotency) })
      if ('state' in outcome) return outcome
      const { lease, conversation } = outcome
      return { state: 'entered', lease, conversation: conversation as StoredConversation }
    },
    async enterStart(request): Promise<EnteredStart | NotEntered> {
      const { idempotency } = request
      const entrance =
        'newId' in request
          ? { id: request.newId, claim: claimOf('', idempotency) }
          : { id: request.previewId, claim: claimOf(request.previewId, idempotency) }
      const outcome = await admission.letIn({ ...entrance, needsSession: false })
      return 'state' in outcome ? outcome : { state: 'entered', lease: outcome.lease }
    },
    isHeld: (lease) => admission.confirm(lease as PostgresLease),
    async commit(given, turn) {
      const lease = given as PostgresLease
      if (!admission.holds(lease)) return undefined
      const isKept = await turns.keep(turn, lease)
      if (!isKept) {
        await admission.leave(lease)
        return undefined
      }
      admission.left(lease)
      watch.wake(lease.id)
      return lease.revision + 1
    },
    async release(given) {
      const lease = given as PostgresLease
      if (admission.holds(lease)) await admission.leave(lease)
    },
    async start(first) {
      await turns.keep(first, undefined)
    },
    async erase(id) {
      const outcome = await admission.letIn({ id, needsSession: false, claim: undefined })
      if ('state' in outcome)
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          'Too many requests are waiting for this session: send one, and the next when it is answered',
        )
      const { lease } = outcome
      try {
        if (!(await erasures.send(lease))) throw placeLost()
      } catch (error) {
        await admission.leave(lease)
        throw error
      }
      admission.left(lease)
      watch.wake(id)
    },
    async eraseIdle(ids) {
      const leases = await admission.letInIdle(ids)
      let erased: ReadonlySet<string> = new Set()
      try {
        erased = await eraseHeld(leases)
      } finally {
        for (const lease of leases) {
          if (erased.has(lease.id)) admission.left(lease)
          else void admission.leave(lease)
        }
      }
      for (const id of erased) watch.wake(id)
      return ids.filter((id) => !erased.has(id))
    },
    appendClientLogs: ({ resultId, flowId, key, logs, requestId, now }) =>
      writer.append(`logs ${key}`, { id: resultId, flowId, now, logs, requestId }),
    async receiveWebhook({ id, revision, text }) {
      const isReceived = (await query(receivePayload, [id, revision, storableText(text)])).length > 0
      if (isReceived) watch.wake(id)
      return isReceived
    },
    subscribe: watch.subscribe,
    async usage() {
      const [live, previews, answers] = await Promise.all([liveUsage(), previewUsage(), answerUsage()])
      return { live, previews, answers }
    },
    close: admission.close,
  }
}

import { ServiceError } from '../../../lib/errors.ts'
import type { NotEntered, StoredConversation } from '../../conversation-store.ts'
import type { Timers } from '../../timers.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { takeIdle } from './enter-statements.ts'
import { PostgresLease } from './postgres-lease.ts'
import { createSessionEntrance, type EntranceRequest } from './session-entrance.ts'
import { conversationOfRow, liveFirst, type SessionRow } from './session-row.ts'
import { createTokenKeeper, heldShare, type TokenKeeper } from './token-keeper.ts'
import { createWaitingTurns } from './waiting-turns.ts'

/** Who was let in, alone, with what is there for a request that needs it. */
export interface Admitted {
  readonly lease: PostgresLease
  readonly conversation: StoredConversation | undefined
}

/** Lets requests into sessions, one at a time over all processes, and out again. */
export interface SessionAdmission extends Pick<TokenKeeper, 'holds' | 'confirm'> {
  /** Waits for its turn. What was claimed or taken is given back wherever the request does not go on. */
  letIn(request: Omit<EntranceRequest, 'token'>): Promise<Admitted | NotEntered>
  /** Lets in, in one statement, where nobody is or waits; the leases, which are not renewed. */
  letInIdle(ids: readonly string[]): Promise<readonly PostgresLease[]>
  /** Gives everything back that the request holds. */
  leave(lease: PostgresLease): Promise<void>
  /** The statement that ended its turn has freed the session. */
  left(lease: PostgresLease): void
  /** Refuses who waits, and gives back what this process holds. */
  close(): Promise<void>
}

export interface SessionAdmissionOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly timers: Timers
  readonly leaseMs: number
  readonly answerMs: number
  readonly maxQueuedTurns: number
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number
  /** What distinguishes the leases of this process from others. */
  readonly processName: string
}

const shuttingDown = () => new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')

export const placeLost = () =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The place in the line of this session was lost: try again')

export function createSessionAdmission(options: SessionAdmissionOptions): SessionAdmission {
  const { database, leaseMs, elapsed, processName } = options
  const keeper = createTokenKeeper(options)
  const waiting = createWaitingTurns({ ...options, lost: placeLost })
  const enter = createSessionEntrance(options)
  let tokens = 0
  let isClosed = false

  function nextToken(): string {
    tokens += 1
    return `${processName}.${tokens}`
  }

  async function letIn(request: Omit<EntranceRequest, 'token'>): Promise<Admitted | NotEntered> {
    const token = nextToken()
    const place = { id: request.id, token, claim: request.claim?.name }
    const sentAt = elapsed()
    const entrance = await enter({ ...request, token }).catch((error: unknown) => {
      keeper.takeBack(place)
      throw error
    })
    if (entrance.state === 'let in') {
      const heldUntil = sentAt + leaseMs * heldShare
      return await admit(request, { ...place, id: entrance.id, heldUntil }, entrance.found)
    }
    if (entrance.state === 'in line') {
      const inLine = { ...place, id: entrance.id }
      const found = await waitInLine(inLine)
      return await admit(request, { ...inLine, heldUntil: 0 }, found)
    }
    if (entrance.state === 'too many waiting' && place.claim !== undefined) await keeper.release(place)
    return entrance
  }

  async function letInIdle(ids: readonly string[]): Promise<readonly PostgresLease[]> {
    const places = ids.map((id) => ({ id, token: nextToken(), claim: undefined }))
    const asked = [ids, places.map(({ token }) => token), leaseMs]
    const heldUntil = elapsed() + leaseMs * heldShare
    try {
      const rows = await database.query<{ token: string }>(takeIdle, asked)
      const taken = new Set(rows.map(({ token }) => token))
      return places
        .filter(({ token }) => taken.has(token))
        .map((place) => new PostgresLease({ ...place, heldUntil }, undefined))
    } catch (error) {
      for (const place of places) keeper.takeBack(place)
      throw error
    }
  }

  async function waitInLine(
    place: Pick<PostgresLease, 'id' | 'token' | 'claim'>,
  ): Promise<readonly SessionRow[]> {
    keeper.hold(place)
    try {
      return isClosed ? [] : await waiting.wait(place.token)
    } catch (error) {
      await keeper.release(place)
      throw error
    }
  }

  async function admit(
    { needsSession }: Pick<EntranceRequest, 'needsSession'>,
    held: Pick<PostgresLease, 'id' | 'token' | 'claim' | 'heldUntil'>,
    found: readonly SessionRow[],
  ): Promise<Admitted | NotEntered> {
    const row = needsSession ? liveFirst(found) : found.find(({ isPreview }) => isPreview)
    const lease = new PostgresLease(held, row)
    try {
      if (isClosed) throw shuttingDown()
      // One of a later build is refused, and left alone.
      const conversation = needsSession && row ? conversationOfRow(row) : undefined
      if (!needsSession || conversation) {
        keeper.hold(lease)
        return { lease, conversation }
      }
    } catch (error) {
      await leave(lease)
      throw error
    }
    await leave(lease)
    return { state: 'not found' }
  }

  async function leave(lease: PostgresLease): Promise<void> {
    await keeper.release(lease)
    waiting.nudge()
  }

  return {
    letIn,
    letInIdle,
    leave,
    left(lease) {
      keeper.drop(lease)
      waiting.nudge()
    },
    holds: keeper.holds,
    confirm: keeper.confirm,
    async close() {
      isClosed = true
      waiting.close(shuttingDown())
      await keeper.abandon()
    },
  }
}

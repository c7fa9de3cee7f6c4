import type { NotEntered } from '../../conversation-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { createStatementBatch } from '../statement-batch.ts'
import { enterSessions } from './enter-statements.ts'
import { groupByToken, isThere, type SessionRow } from './session-row.ts'

/** A request to be alone in a session. */
export interface EntranceRequest {
  readonly id: string
  readonly token: string
  /** Whether it is for a session that is there. */
  readonly needsSession: boolean
  readonly claim: { readonly name: string; readonly fingerprint: string } | undefined
}

/** What becomes of it at once. Where the key has been claimed, it is given back unless the request goes on. */
export type Entrance =
  | { readonly state: 'let in'; readonly id: string; readonly found: readonly SessionRow[] }
  | { readonly state: 'in line'; readonly id: string }
  | NotEntered

interface EnteredRow extends Partial<SessionRow> {
  readonly token: string
  readonly id: string
  readonly isPresent: boolean
  readonly isTaken: boolean
  readonly isQueued: boolean
  readonly claimToken: string | null
  /** The session id that a key stands for. */
  readonly claimId: string | null
  readonly fingerprint: string | null
  readonly answer: string | null
}

export interface EntranceOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly leaseMs: number
  readonly answerMs: number
  readonly maxQueuedTurns: number
}

/** Enters sessions, those that come together in one statement. */
export function createSessionEntrance({
  database,
  leaseMs,
  answerMs,
  maxQueuedTurns,
}: EntranceOptions): (request: EntranceRequest) => Promise<Entrance> {
  const { send } = createStatementBatch<EntranceRequest, Entrance>(
    async (requests) => {
      const rows = await database.query<EnteredRow>(enterSessions, [
        requests.map(({ id }) => id),
        requests.map(({ token }) => token),
        requests.map(({ needsSession }) => needsSession),
        requests.map(({ claim }) => claim?.name ?? null),
        requests.map(({ claim }) => claim?.fingerprint ?? null),
        leaseMs,
        answerMs,
        maxQueuedTurns,
      ])
      const byToken = groupByToken(rows)
      return requests.map((request) => entranceOf(request, byToken.get(request.token) ?? []))
    },
    // A statement can claim each key once.
    { nameOf: ({ claim }) => claim?.name },
  )
  return send
}

function entranceOf(request: EntranceRequest, rows: readonly EnteredRow[]): Entrance {
  const [row] = rows
  if (!row?.isPresent) return { state: 'not found' }
  const { claim, token } = request
  if (claim && row.claimToken !== token) {
    if (row.fingerprint !== claim.fingerprint) return { state: 'other request' }
    return row.answer === null ? { state: 'running' } : { state: 'answered', answer: row.answer }
  }
  const id = row.claimId ?? row.id
  if (row.isQueued) return { state: 'in line', id }
  if (!row.isTaken) return { state: 'too many waiting' }
  return { state: 'let in', id, found: rows.filter(isThere) }
}

import type { IdempotencyKey, Lease, StoredConversation } from '../conversation-store.ts'
import type { AcquireRequest, KeyClaim } from './conversation-table.ts'
import type { KeptLease } from './lease-keeper.ts'
import type { Place } from './session-lines.ts'

/** All that one request holds: first its place in line and its key, then the session. */
export class TurnLease implements Lease, KeptLease {
  readonly token: string
  readonly place: Place | undefined
  readonly claim: string | undefined
  /** The abandoned key of a start brings another. */
  id: string
  heldUntil: number | undefined = undefined
  /** Of what was found; 0 where there was nothing. */
  revision = 0
  /** Of the payload that was found; 0 without one. */
  payloadNumber = 0

  constructor({ id, claim }: Pick<AcquireRequest, 'id' | 'claim'>, token: string, place: Place | undefined) {
    this.id = id
    this.claim = claim?.name
    this.token = token
    this.place = place
  }

  found({ revision, payload }: Omit<StoredConversation, 'session'>): void {
    this.revision = revision
    this.payloadNumber = payload?.number ?? 0
  }
}

/** A key counts for one session; without one, for all starts. */
export function claimOf(
  session: string | undefined,
  idempotency: IdempotencyKey | undefined,
): KeyClaim | undefined {
  if (!idempotency) return undefined
  const { key, fingerprint } = idempotency
  return { name: `${session ?? ''} ${key}`, fingerprint, fixesId: session === undefined }
}

import type { Lease } from '../../conversation-store.ts'
import type { SessionRow } from './session-row.ts'

/** The holder of a conversation, by a token that only it knows. */
export class PostgresLease implements Lease {
  readonly id: string
  readonly token: string
  /** The name of the claimed key. */
  readonly claim: string | undefined
  /** Of what was found; 0 where a start found nothing. */
  readonly revision: number
  /** Of the payload that was found; 0 without one. */
  readonly payloadNumber: number
  /** By the clock of this process: until when no other can have it. */
  heldUntil: number

  constructor(
    held: Pick<PostgresLease, 'id' | 'token' | 'claim' | 'heldUntil'>,
    found: SessionRow | undefined,
  ) {
    this.id = held.id
    this.token = held.token
    this.claim = held.claim
    this.heldUntil = held.heldUntil
    this.revision = found?.revision ?? 0
    this.payloadNumber = found?.payload == null ? 0 : found.payloadNumber
  }
}

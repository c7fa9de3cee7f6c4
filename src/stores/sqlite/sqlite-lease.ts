import type { Entered, Lease, StoredConversation } from '../conversation-store.ts'
import type { Claim } from '../memory/kept-answers.ts'
import type { Holder, Next } from '../memory/lines.ts'

/** The holder of a conversation. It needs no renewal: one process owns the folder, and leases end with it. */
export class SqliteLease implements Lease, Holder {
  readonly id: string
  readonly owner: object
  readonly claim: Claim | undefined
  /** Of what was found; 0 where a start found nothing. */
  revision = 0
  /** Of the payload that was found; 0 without one. */
  payloadNumber = 0
  waiting: Next[] | undefined = undefined

  constructor(id: string, { owner, claim }: Pick<SqliteLease, 'owner' | 'claim'>) {
    this.id = id
    this.owner = owner
    this.claim = claim
  }

  enter(conversation: StoredConversation): Entered {
    this.revision = conversation.revision
    this.payloadNumber = conversation.payload?.number ?? 0
    return { state: 'entered', lease: this, conversation }
  }
}

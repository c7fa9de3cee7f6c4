import type { IdempotencyKey, Lease, StoredConversation } from '../conversation-store.ts'
import type { ConversationKeys } from './conversation-keys.ts'

/** The idempotency key of a request, and where its answer is kept. */
export interface AnswerPlace {
  /** Among the answers of the session. */
  readonly name: string
  readonly key: string
  /** Stands for the body of the request; never empty. */
  readonly fingerprint: string
}

/** The holder of a conversation, and those that wait for it. */
export class RedisLease implements Lease {
  readonly id: string
  readonly keys: ConversationKeys
  /** Names this request among all of all processes. */
  readonly token: string
  readonly answer: AnswerPlace | undefined
  /** Where the id of a start with a key is fixed. */
  readonly startClaim: string | undefined
  /** Of what was found; 0 where a start found nothing. */
  revision = 0
  /** Of the payload that was found; 0 without one. */
  payloadNumber = 0
  /** Until when it is surely held, by the clock of `performance`; 0 when it is given back or lost. */
  heldUntil = 0

  constructor(
    id: string,
    options: Pick<RedisLease, 'keys' | 'token'> & Partial<Pick<RedisLease, 'answer' | 'startClaim'>>,
  ) {
    this.id = id
    this.keys = options.keys
    this.token = options.token
    this.answer = options.answer
    this.startClaim = options.startClaim
  }

  find({ revision, payload }: StoredConversation): void {
    this.revision = revision
    this.payloadNumber = payload?.number ?? 0
  }
}

/** Where the answer to a turn with a key is kept. */
export function turnAnswer(keys: ConversationKeys, { key, fingerprint }: IdempotencyKey): AnswerPlace {
  return { name: key, key: keys.answer(key), fingerprint: `+${fingerprint}` }
}

/** The same for a start, whose keys are apart from those of turns. */
export function startAnswer(keys: ConversationKeys, { key, fingerprint }: IdempotencyKey): AnswerPlace {
  const name = ` ${key}`
  return { name, key: keys.answer(name), fingerprint: `+${fingerprint}` }
}

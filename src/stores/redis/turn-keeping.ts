import { ServiceError } from '../../lib/errors.ts'
import { writeConversation } from '../codec/conversation-codec.ts'
import { droppedAnswer, type FirstCommit, type TurnCommit } from '../conversation-store.ts'
import type { RedisConnection } from './connection/redis-connection.ts'
import type { ConversationKeys } from './conversation-keys.ts'
import type { Outbox } from './outbox/outbox.ts'
import { writeResultTurn } from './outbox/outbox-codec.ts'
import type { RedisLease } from './redis-lease.ts'
import { keepScript } from './scripts/keep-script.ts'

/** Keeps turns in Redis, each as one step, and then their results. */
export interface TurnKeeping {
  /** The new revision; undefined when the lease was lost. Of a preview in a live lease only the answer is kept. */
  keepTurn(lease: RedisLease, turn: TurnCommit): Promise<number | undefined>
  /** Keeps a conversation under an id that no other caller knows. */
  keepNew(keys: ConversationKeys, first: FirstCommit, token: string): Promise<void>
}

export interface TurnKeepingOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  readonly outbox: Outbox
  readonly bounds: {
    readonly ttlMs: number
    readonly answerMs: number
    readonly maxAnswerBytes: number
    /** Of one live conversation. */
    readonly maxBytes: number
    /** Of all previews. */
    readonly previewMaxBytes: number
    readonly maxPreviews: number
  }
}

/** What is kept of a turn at one place. */
interface Part {
  readonly keys: ConversationKeys
  readonly token: string
  readonly lease?: RedisLease
  /** Empty when only the answer is kept here. */
  readonly text: string
  readonly turn: TurnCommit
}

export function createTurnKeeping({ connection, outbox, bounds }: TurnKeepingOptions): TurnKeeping {
  const { ttlMs, answerMs, maxAnswerBytes, maxBytes, previewMaxBytes, maxPreviews } = bounds

  function check(text: string, keys: ConversationKeys): void {
    if (text.length <= (keys.isPreview ? previewMaxBytes : maxBytes)) return
    throw new ServiceError('PAYLOAD_TOO_LARGE', 'This session is larger than all sessions may be')
  }

  /** What becomes of the idempotency key. */
  function answerOf(lease: RedisLease | undefined, { answer }: TurnCommit): [string, string] {
    if (!lease?.answer) return ['', '']
    if (answer === undefined) return ['drop', '']
    return ['keep', answer.length <= maxAnswerBytes ? answer : droppedAnswer]
  }

  async function keep({ keys, token, lease, text, turn }: Part): Promise<number | undefined> {
    const { session, slot } = keys
    const revision = (lease?.revision ?? 0) + 1
    const updates = text === '' ? [] : turn.results
    // With the token, as a Redis that has lost a turn gives its revision again.
    const key = `${keys.member} ${revision} ${token}`
    const resultTurn = { key, revision, updates }
    const [fate, answer] = answerOf(lease, turn)
    const answerKey = lease?.answer?.key ?? session
    const reply = (await connection.run(
      keepScript,
      [session, keys.line, slot.index, slot.tallies, answerKey, keys.names, keys.outbox, slot.pending],
      [
        token,
        revision - 1,
        text,
        ttlMs,
        keys.member,
        turn.payloads ?? 'drop',
        lease?.payloadNumber ?? 0,
        lease ? 0 : 1,
        fate,
        answer,
        answerMs,
        lease?.answer?.name ?? '',
        updates.length === 0 ? '' : writeResultTurn(resultTurn),
        keys.channel,
        keys.isPreview ? previewMaxBytes : 0,
        maxPreviews,
        ...updates.map(({ id: resultId }) => resultId),
      ],
    )) as ['kept', number, number] | ['lost']
    if (reply[0] === 'lost') return undefined
    const [, kept, inOutbox] = reply
    if (updates.length > 0) await outbox.deliver(keys, resultTurn, inOutbox)
    return kept
  }

  return {
    async keepTurn(lease, turn) {
      const { keys, token } = lease
      const isElsewhere = turn.session.kind === 'preview' && !keys.isPreview
      const text = isElsewhere ? '' : writeConversation(turn.session, lease.revision + 1)
      check(text, keys)
      return keep({ keys, token, lease, text, turn })
    },
    async keepNew(keys, turn, token) {
      const text = writeConversation(turn.session, 1)
      check(text, keys)
      await keep({ keys, token, text, turn })
    },
  }
}

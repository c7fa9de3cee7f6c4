import { ServiceError } from '../../errors.ts'
import { readConversation } from '../codec/conversation-codec.ts'
import type { NotEntered, StoredConversation } from '../conversation-store.ts'
import type { HeldLeases } from './lease-renewal.ts'
import type { Outbox } from './outbox.ts'
import type { QueuePlaces } from './queue-places.ts'
import type { RedisConnection } from './redis-connection.ts'
import type { RedisLease } from './redis-lease.ts'
import { enterScript, enterWhenFullScript, releaseScript } from './scripts/enter-scripts.ts'

/** `turn` needs a conversation, `start` that there is none yet; `erasure` is let in also where Redis is full. */
type Mode = 'turn' | 'start' | 'any' | 'erasure'

type Outcome =
  | { readonly state: 'in'; readonly conversation: StoredConversation | undefined }
  | { readonly state: 'missing' }
  | NotEntered

/** The way into a conversation and out of it, one at a time over all processes. */
export interface Entrance {
  /** Takes the lease once it is this one's turn. */
  enter(lease: RedisLease, mode: Mode): Promise<Outcome>
  /** Gives a lease back, and its idempotency key unless a repetition is to go on where this one was left. */
  leave(lease: RedisLease, keepsKey?: boolean): Promise<void>
  /** Refuses everyone from now on. */
  close(): void
}

export interface EntranceOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  readonly leases: HeldLeases
  readonly places: QueuePlaces
  readonly outbox: Outbox
  readonly bounds: {
    readonly leaseMs: number
    readonly maxQueuedTurns: number
    readonly ttlMs: number
    readonly answerMs: number
  }
}

type Text = string | null
type GoReply = ['go', revision: string, text: Text, payloadNumber: Text, payload: Text, hasOutbox: number]
type Reply = ['waiting'] | ['missing'] | ['answered', string] | [Refusal] | GoReply
type Refusal = 'running' | 'other request' | 'too many waiting'

export function createEntrance(options: EntranceOptions): Entrance {
  const { connection, leases, places, outbox, bounds } = options
  const { leaseMs, maxQueuedTurns, ttlMs, answerMs } = bounds
  let isClosed = false

  async function ask({ keys, token, answer }: RedisLease, mode: Mode): Promise<Reply> {
    const { session, slot } = keys
    return (await connection.run(
      mode === 'erasure' ? enterWhenFullScript : enterScript,
      [session, keys.line, keys.deadlines, slot.index, answer?.key ?? session, keys.outbox],
      [token, leaseMs, maxQueuedTurns, ttlMs, keys.member, mode, answer?.fingerprint ?? '', answerMs],
    )) as Reply
  }

  async function waitInLine(lease: RedisLease, mode: Mode): Promise<Reply> {
    for (;;) {
      if (isClosed) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
      const asked = performance.now()
      const reply = await ask(lease, mode)
      if (reply[0] === 'go') lease.heldUntil = asked + leaseMs
      if (reply[0] !== 'waiting') return reply
      await places.wait(lease.token)
    }
  }

  async function leave(lease: RedisLease, keepsKey = false): Promise<void> {
    leases.remove(lease)
    const { keys, token, answer } = lease
    const places = [keys.session, keys.line, keys.deadlines, answer?.key ?? keys.session]
    await connection.run(releaseScript, places, [token, answer && !keepsKey ? '1' : '0'])
  }

  async function comeIn(lease: RedisLease, reply: GoReply): Promise<Outcome> {
    if (isClosed) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    leases.add(lease)
    const [, revision, text, number, payload, hasOutbox] = reply
    // What can't be written now is written later.
    if (hasOutbox === 1) await outbox.drain(lease.keys).catch(() => undefined)
    if (text === null) return { state: 'in', conversation: undefined }
    const conversation = conversationOf(text, [revision, number, payload])
    lease.find(conversation)
    return { state: 'in', conversation }
  }

  return {
    async enter(lease, mode) {
      try {
        const reply = await waitInLine(lease, mode)
        if (reply[0] === 'go') return await comeIn(lease, reply)
        if (reply[0] === 'answered') return { state: 'answered', answer: reply[1] as string }
        return { state: reply[0] } as Outcome
      } catch (error) {
        // It may have been let in, unheard.
        leave(lease).catch(() => undefined)
        throw error
      }
    },
    leave,
    close() {
      isClosed = true
    },
  }
}

/** The conversation as its fields in Redis have it. */
export function conversationOf(
  text: string,
  [revision, number, payload]: readonly [string, Text, Text],
): StoredConversation {
  const { session } = readConversation(text)
  const kept = { session, revision: Number(revision) }
  return payload === null ? kept : { ...kept, payload: { number: Number(number), text: payload } }
}

import { ServiceError } from '../../lib/errors.ts'
import { readConversation } from '../codec/conversation-codec.ts'
import type { NotEntered, StoredConversation } from '../conversation-store.ts'
import { systemTimers } from '../timers.ts'
import { createUnreturned } from '../unreturned.ts'
import type { RedisConnection } from './connection/redis-connection.ts'
import type { HeldLeases } from './lease-renewal.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { QueuePlaces } from './queue-places.ts'
import type { RedisLease } from './redis-lease.ts'
import { enterScript, enterWhenFullScript, releaseScript } from './scripts/enter-scripts.ts'
import type { StartClaims } from './start-claims.ts'

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
  /** Gives a lease and its idempotency key back: once Redis is there again where it is away now. */
  leave(lease: RedisLease): Promise<void>
  /** Refuses everyone from now on, and gives leases back, but not their keys: repetitions go on where these were left. */
  close(): Promise<void>
}

export interface EntranceOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  readonly leases: HeldLeases
  readonly claims: Pick<StartClaims, 'drop'>
  readonly places: QueuePlaces
  readonly outbox: Outbox
  readonly bounds: {
    readonly leaseMs: number
    readonly maxQueuedTurns: number
    readonly ttlMs: number
    readonly answerMs: number
  }
}

/** A request that goes, and which of its claims stay for a repetition: the id of a start, or the key as well. */
interface Left {
  readonly lease: RedisLease
  readonly keeps: 'nothing' | 'start' | 'both'
}

type Text = string | null
type GoReply = ['go', revision: string, text: Text, payloadNumber: Text, payload: Text, hasOutbox: number]
type Reply = ['waiting'] | ['missing'] | ['answered', string] | [Refusal] | GoReply
type Refusal = 'running' | 'other request' | 'too many waiting'

export function createEntrance(options: EntranceOptions): Entrance {
  const { connection, leases, claims, places, outbox, bounds } = options
  const { leaseMs, maxQueuedTurns, ttlMs, answerMs } = bounds
  let isClosed = false
  const unreturned = createUnreturned<Left>({
    give: (left) => Promise.all(left.map(release)),
    leaseMs,
    timers: systemTimers,
    elapsed: () => performance.now(),
  })

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

  async function release({ lease, keeps }: Left): Promise<void> {
    const { id, keys, token, answer, startClaim } = lease
    const places = [keys.session, keys.line, keys.deadlines, answer?.key ?? keys.session]
    const givesKey = answer && keeps !== 'both'
    const isGiven = await connection.run(releaseScript, places, [token, givesKey ? '1' : '0'])
    // What was committed, unheard, is nobody's any more: a repetition has to find it.
    if (startClaim !== undefined && keeps === 'nothing' && isGiven === 1) await claims.drop(startClaim, id)
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
        leases.remove(lease)
        // It may have been let in, unheard.
        unreturned.takeBack({ lease, keeps: 'start' })
        throw error
      }
    },
    async leave(lease) {
      leases.remove(lease)
      await unreturned.giveBack({ lease, keeps: 'nothing' })
    },
    async close() {
      isClosed = true
      unreturned.close()
      places.close()
      leases.stop()
      const held = leases.all()
      for (const lease of held) leases.remove(lease)
      await Promise.allSettled(held.map((lease) => release({ lease, keeps: 'both' })))
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

import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../lib/errors.ts'
import type {
  ConversationStore,
  EnterStartRequest,
  IdempotencyKey,
  NotEntered,
} from '../conversation-store.ts'
import type { RedisConnection } from './connection/redis-connection.ts'
import { ConversationKeys, wakeChannelOf } from './conversation-keys.ts'
import { conversationOf, createEntrance } from './entrance.ts'
import { createHeldLeases } from './lease-renewal.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { ResultSink } from './outbox/result-sink.ts'
import { createQueuePlaces } from './queue-places.ts'
import { RedisLease, startAnswer, turnAnswer } from './redis-lease.ts'
import { countUsage } from './redis-usage.ts'
import { eraseScript, lookScript, webhookScript, whyMissingScript } from './scripts/conversation-scripts.ts'
import { createStartClaims } from './start-claims.ts'
import type { RedisSubscriptions } from './subscriptions.ts'
import { createTurnKeeping } from './turn-keeping.ts'

export interface RedisConversationsOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  readonly subscriptions: RedisSubscriptions
  readonly outbox: Outbox
  readonly sink: Pick<ResultSink, 'appendLogs'>
  readonly bounds: RedisBounds
}

export interface RedisBounds {
  /** How long a session lives after its last use. */
  readonly ttlMs: number
  /** How long an answer is kept after it was made. */
  readonly answerMs: number
  /** How long a lease outlives the process that held it. */
  readonly leaseMs: number
  /** How often a request in line asks whether its turn has come, beside being called. */
  readonly pollMs: number
  /** Turns that wait for one session, besides the one that runs. */
  readonly maxQueuedTurns: number
  /** Of one live session; all of them are bounded by their time to live. */
  readonly maxBytes: number
  /** Of all previews together. */
  readonly previewMaxBytes: number
  readonly maxPreviews: number
  /** Of one answer. */
  readonly maxAnswerBytes: number
}

/** How long erasures are remembered: sessions that could bring something back are renewed by their visitors. */
const erasedMs = 366 * 24 * 60 * 60 * 1000

const notFound: NotEntered = Object.freeze({ state: 'not found' })

type KeyedStart = Extract<EnterStartRequest, { readonly newId: string }>

/** Opens conversations that Redis keeps, for one process of many. */
export async function openRedisConversations(options: RedisConversationsOptions): Promise<ConversationStore> {
  const { connection, subscriptions, outbox, sink, bounds } = options
  const { ttlMs, pollMs } = bounds
  const process = randomBytes(9).toString('base64url')
  let requests = 0
  const leases = createHeldLeases(connection, bounds)
  const places = createQueuePlaces(pollMs)
  const claims = createStartClaims(connection, bounds)
  const entrance = createEntrance({ connection, leases, claims, places, outbox, bounds })
  const turns = createTurnKeeping({ connection, outbox, bounds })
  const stopCalls = await subscriptions.listen(wakeChannelOf(process), places.call)

  const nextToken = () => {
    requests += 1
    return `${process}.${requests.toString(36)}`
  }

  function leaseFor(id: string, keys: ConversationKeys, idempotency?: IdempotencyKey): RedisLease {
    const answer = idempotency && turnAnswer(keys, idempotency)
    return new RedisLease(id, { keys, token: nextToken(), ...(answer && { answer }) })
  }

  async function lookAt(keys: ConversationKeys) {
    const kept = await connection.run(lookScript, [keys.session, keys.slot.index], [ttlMs, keys.member])
    if (kept === null) return undefined
    const [revision, text, number, payload] = kept as [string, string, string | null, string | null]
    return conversationOf(text, [revision, number, payload])
  }

  async function enterKind(lease: RedisLease) {
    const outcome = await entrance.enter(lease, 'turn')
    if (outcome.state === 'missing') return undefined
    if (outcome.state !== 'in') return outcome
    const { conversation } = outcome
    return conversation ? ({ state: 'entered', lease, conversation } as const) : notFound
  }

  /** Enters a start with a key under the id that it has fixed, or anew where that leads nowhere. */
  async function enterKeyedStart({ newId, idempotency }: KeyedStart, stale?: string) {
    const id = await claims.claim(idempotency, newId, stale)
    if (id === undefined) return { state: 'other request' } as const
    const keys = ConversationKeys.ofLive(id)
    const answer = startAnswer(keys, idempotency)
    const lease = new RedisLease(id, { keys, token: nextToken(), answer, startClaim: idempotency.key })
    const outcome = await entrance.enter(lease, 'start')
    if (outcome.state === 'in') return { state: 'entered', lease } as const
    if (outcome.state !== 'missing') return outcome
    if (id === newId) throw new ServiceError('SERVICE_UNAVAILABLE', 'The id of a new session is taken')
    return enterKeyedStart({ newId, idempotency }, id)
  }

  /** By the holder of a token, or by an empty one where nobody is in it; false where that is not so. */
  async function eraseAt(keys: ConversationKeys, token: string): Promise<boolean> {
    const { session, line, slot, names, member, channel } = keys
    const places = [session, line, slot.index, slot.tallies, names, slot.gone]
    return (await connection.run(eraseScript, places, [token, member, erasedMs, channel])) === 1
  }

  return {
    look: async (id) =>
      (await lookAt(ConversationKeys.ofLive(id))) ?? (await lookAt(ConversationKeys.ofPreview(id))),
    async whyMissing(id) {
      const ask = async ({ session, slot, member }: ConversationKeys) =>
        connection.run(whyMissingScript, [session, slot.index, slot.gone], [ttlMs, member])
      const live = await ask(ConversationKeys.ofLive(id))
      const reason = live === 'unknown' ? await ask(ConversationKeys.ofPreview(id)) : live
      return reason === 'expired' ? 'expired' : 'unknown'
    },
    async enter({ id, idempotency }) {
      const live = await enterKind(leaseFor(id, ConversationKeys.ofLive(id), idempotency))
      if (live) return live
      return (await enterKind(leaseFor(id, ConversationKeys.ofPreview(id), idempotency))) ?? notFound
    },
    async enterStart(request) {
      if ('newId' in request) return enterKeyedStart(request)
      const { previewId, idempotency } = request
      const lease = leaseFor(previewId, ConversationKeys.ofPreview(previewId), idempotency)
      const outcome = await entrance.enter(lease, 'any')
      if (outcome.state === 'missing') return notFound
      return outcome.state === 'in' ? { state: 'entered', lease } : outcome
    },
    isHeld: async (lease) => (lease as RedisLease).heldUntil > performance.now(),
    async commit(given, turn) {
      const lease = given as RedisLease
      if (!leases.has(lease)) return undefined
      const { id, kind } = turn.session
      // An id that the key of a start has fixed is that of a live conversation until it is known to be a preview.
      if (kind === 'preview' && !lease.keys.isPreview)
        await turns.keepNew(ConversationKeys.ofPreview(id), turn, lease.token)
      const revision = await turns.keepTurn(lease, turn)
      leases.remove(lease)
      const isFree = revision !== undefined && turn.answer === undefined
      if (lease.startClaim !== undefined && isFree) await claims.drop(lease.startClaim, lease.id)
      return revision
    },
    async release(given) {
      const lease = given as RedisLease
      if (leases.has(lease)) await entrance.leave(lease)
    },
    async start(first) {
      const { id, kind } = first.session
      const keys = kind === 'live' ? ConversationKeys.ofLive(id) : ConversationKeys.ofPreview(id)
      await turns.keepNew(keys, first, nextToken())
    },
    async erase(id) {
      const keys = ConversationKeys.ofLive(id)
      const lease = leaseFor(id, keys)
      const { state } = await entrance.enter(lease, 'erasure')
      if (state === 'missing') return
      if (state !== 'in')
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          'Too many requests are waiting for this session: send one, and the next when it is answered',
        )
      try {
        if (!(await eraseAt(keys, lease.token)))
          throw new ServiceError('SERVICE_UNAVAILABLE', 'The lease was lost meanwhile')
      } finally {
        leases.remove(lease)
      }
    },
    async eraseIdle(ids) {
      const outcomes = await Promise.all(ids.map((id) => eraseAt(ConversationKeys.ofLive(id), '')))
      return ids.filter((_, index) => !outcomes[index])
    },
    async appendClientLogs(report) {
      await outbox.drainResult(report.resultId)
      return sink.appendLogs(report)
    },
    async receiveWebhook({ id, revision, text }) {
      const { session, channel } = ConversationKeys.ofLive(id)
      return (await connection.run(webhookScript, [session], [revision, text, channel])) === 1
    },
    subscribe: (id, wake) => subscriptions.listen(ConversationKeys.ofLive(id).channel, wake),
    usage: () => countUsage(connection, ttlMs),
    async close() {
      stopCalls()
      await entrance.close()
    },
  }
}

import { ServiceError } from '../../lib/errors.ts'
import type {
  ConversationStore,
  Entered,
  EnteredStart,
  Lease,
  NotEntered,
  StoredConversation,
  TurnCommit,
  WebhookPayload,
} from '../conversation-store.ts'
import { createGoneSessions } from './gone-sessions.ts'
import { type Claim, createKeptAnswers, type KeptAnswersOptions } from './kept-answers.ts'
import { createLines, type Holder, type Lines, type Next } from './lines.ts'
import type { MemoryResultStore } from './memory-result-store.ts'
import { createRecentKeys } from './recent-keys.ts'
import { createSessionTexts, type SessionTextsOptions } from './session-texts.ts'
import { createSubscribers } from './subscribers.ts'

export interface MemoryConversationsOptions {
  readonly sessions: Omit<SessionTextsOptions, 'now' | 'forgotten'> & {
    /** Turns that wait for one session, besides the one that runs. */
    readonly maxQueuedTurns: number
  }
  readonly answers: Omit<KeptAnswersOptions, 'now'>
  /** Where the results of turns go. */
  readonly results: Pick<MemoryResultStore, 'apply' | 'append'>
  /** Milliseconds since 1970. */
  now(): number
}

/** How many erased and forgotten sessions, and reports of clients, are remembered at least: ids are never used again by chance. */
const leastRemembered = 10_000

const notFound: NotEntered = Object.freeze({ state: 'not found' })
const tooManyWaiting: NotEntered = Object.freeze({ state: 'too many waiting' })

/** The holder of a conversation. It needs no renewal: it can only end with the process, as everything else here. */
class MemoryLease implements Lease, Holder {
  readonly id: string
  readonly revision: number
  readonly owner: object
  readonly claim: Claim | undefined
  /** What was found; undefined for a start where nothing was. */
  readonly entered: StoredConversation | undefined
  /** As it is now. */
  payload: WebhookPayload | undefined
  waiting: Next[] | undefined = undefined

  constructor(id: string, { owner, claim, entered }: Pick<MemoryLease, 'owner' | 'claim' | 'entered'>) {
    this.id = id
    this.owner = owner
    this.claim = claim
    this.entered = entered
    this.revision = entered?.revision ?? 0
    this.payload = entered?.payload
  }
}

/** What the processes of a back end share. */
export type MemoryConversations = ReturnType<typeof createMemoryConversations>

/** Makes a back end in this process. */
export function createMemoryConversations({ sessions, answers, results, now }: MemoryConversationsOptions) {
  const gone = createGoneSessions({ least: leastRemembered, ttlMs: sessions.ttlMs, now })
  return {
    sessions: createSessionTexts({ ...sessions, now, forgotten: gone.add }),
    gone,
    answers: createKeptAnswers({ ...answers, now }),
    lines: createLines(sessions.maxQueuedTurns) as Lines<MemoryLease>,
    subscribers: createSubscribers(),
    erased: createRecentKeys(leastRemembered),
    reported: createRecentKeys(leastRemembered),
    results,
  }
}

/** Opens a back end in this process. Turns that need not wait enter before anything else can happen. */
export function openMemoryConversations(backEnd: MemoryConversations): ConversationStore {
  const { sessions, gone, answers, lines, subscribers, erased, reported, results } = backEnd
  const owner = {}
  let isClosed = false

  const isClaim = (claim: Claim | NotEntered | undefined): claim is Claim =>
    claim !== undefined && 'name' in claim

  /** Does something once the conversation has no holder. */
  function whenFree<T extends { readonly state: string }>(
    id: string,
    claim: Claim | undefined,
    go: () => T,
  ): T | NotEntered | Promise<T | NotEntered> {
    const holder = lines.holderOf(id)
    if (!holder) return go()
    return new Promise((resolve, reject) => {
      const next = () => {
        if (isClosed) {
          reject(new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down'))
          return false
        }
        const outcome = go()
        resolve(outcome)
        return outcome.state === 'entered'
      }
      if (lines.wait(holder, next)) return
      if (claim) answers.release(claim)
      resolve(tooManyWaiting)
    })
  }

  function take(id: string, claim: Claim | undefined, entered: StoredConversation | undefined): MemoryLease {
    const lease = new MemoryLease(id, { owner, claim, entered })
    lines.take(lease)
    return lease
  }

  function enterNow(id: string, claim: Claim | undefined): Entered | NotEntered {
    const conversation = sessions.find(id)
    if (conversation) return { state: 'entered', lease: take(id, claim, conversation), conversation }
    if (claim) answers.release(claim)
    return notFound
  }

  function enterStartNow(id: string, claim: Claim | undefined): EnteredStart {
    return { state: 'entered', lease: take(id, claim, sessions.findPreview(id)) }
  }

  function keep(
    { session, results: changes, address }: TurnCommit,
    revision: number,
    payload?: WebhookPayload,
  ): void {
    if (changes.length === 0) {
      sessions.save(session, revision, payload)
      return
    }
    const before = sessions.textOf(session)
    sessions.save(session, revision, payload)
    try {
      results.apply(changes, address)
    } catch (error) {
      sessions.restore(session, before)
      throw error
    }
  }

  function eraseNow(id: string): { readonly state: 'erased' } {
    sessions.deleteLive(id)
    answers.forget(id)
    erased.add(id)
    subscribers.wake(id)
    return { state: 'erased' }
  }

  return {
    look: async (id) => sessions.find(id),
    whyMissing: async (id) => (gone.has(id) && !erased.has(id) ? 'expired' : 'unknown'),
    async enter({ id, idempotency }) {
      const claim = idempotency && answers.claim(id, idempotency)
      if (claim && !isClaim(claim)) return claim
      return lines.holderOf(id) ? whenFree(id, claim, () => enterNow(id, claim)) : enterNow(id, claim)
    },
    async enterStart(request) {
      const { idempotency } = request
      const isNew = 'newId' in request
      const claim = isNew
        ? answers.claimStart(request.newId, request.idempotency)
        : idempotency && answers.claim(request.previewId, idempotency)
      if (claim && !isClaim(claim)) return claim
      const id = isNew ? (claim as Claim).sessionId : request.previewId
      return whenFree(id, claim, () => enterStartNow(id, claim))
    },
    isHeld: async (lease) => lines.holderOf(lease.id) === lease,
    async commit(given, turn) {
      const lease = given as MemoryLease
      if (lines.holderOf(lease.id) !== lease) return undefined
      const revision = lease.revision + 1
      keep(turn, revision, payloadAfter(lease, turn))
      if (lease.claim && turn.answer !== undefined) answers.settle(lease.claim, turn.answer)
      else if (lease.claim) answers.release(lease.claim)
      lines.leave(lease)
      subscribers.wake(lease.id)
      return revision
    },
    async release(given) {
      const lease = given as MemoryLease
      if (lines.holderOf(lease.id) !== lease) return
      if (lease.claim) answers.release(lease.claim)
      lines.leave(lease)
    },
    async start(first) {
      if (!erased.has(first.session.id)) keep(first, 1)
    },
    async erase(id) {
      const { state } = await whenFree(id, undefined, () => eraseNow(id))
      if (state === 'erased') return
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        'Too many requests are waiting for this session: send one, and the next when it is answered',
      )
    },
    async eraseIdle(ids) {
      const busy = ids.filter((id) => lines.holderOf(id))
      for (const id of ids) if (!lines.holderOf(id)) eraseNow(id)
      return busy
    },
    async appendClientLogs({ resultId, flowId, key, logs, requestId, now }) {
      const name = `${resultId} ${key}`
      if (reported.has(name)) return true
      const isKept = results.append({ id: resultId, flowId, now, logs, requestId })
      if (isKept) reported.add(name)
      return isKept
    },
    async receiveWebhook({ id, revision, text }) {
      const conversation = sessions.find(id)
      if (conversation?.session.kind !== 'live' || conversation.revision !== revision) return false
      const payload = { number: (conversation.payload?.number ?? 0) + 1, text }
      sessions.save(conversation.session, revision, payload)
      const lease = lines.holderOf(id)
      if (lease) lease.payload = payload
      subscribers.wake(id)
      return true
    },
    subscribe: async (id, wake) => subscribers.add(id, wake),
    usage: async () => ({
      live: sessions.liveUsage(),
      previews: sessions.previewUsage(),
      answers: answers.usage(),
    }),
    async close() {
      isClosed = true
      for (const lease of [...lines.holders()]) {
        if (lease.owner !== owner) continue
        if (lease.claim) answers.abandon(lease.claim)
        lines.leave(lease)
      }
    },
  }
}

function payloadAfter({ entered, payload }: MemoryLease, turn: TurnCommit): WebhookPayload | undefined {
  if (turn.payloads === 'keep') return payload
  const isLater = payload !== undefined && payload.number > (entered?.payload?.number ?? 0)
  return turn.payloads === 'take' && isLater ? payload : undefined
}

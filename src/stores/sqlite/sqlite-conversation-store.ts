import { ServiceError } from '../../lib/errors.ts'
import { writeConversation } from '../codec/conversation-codec.ts'
import type {
  ConversationStore,
  Entered,
  EnteredStart,
  FirstCommit,
  NotEntered,
  TurnCommit,
} from '../conversation-store.ts'
import type { Claim } from '../memory/kept-answers.ts'
import type { KeepRequest } from './database-protocol.ts'
import type { EmbeddedConversations } from './embedded-conversations.ts'
import { afterClaim, isClaim } from './idempotency-claims.ts'
import { SqliteLease } from './sqlite-lease.ts'

const notFound: NotEntered = Object.freeze({ state: 'not found' })

/**
 * Opens conversations that a database keeps, behind a cache in memory. Leases are held in this process alone, which
 * owns the folder; previews stay in memory. A conversation that is in the cache is entered at once.
 */
export function openSqliteConversations(backEnd: EmbeddedConversations): ConversationStore {
  const { folder, cache, sessions, gone, answers, claims, lines, subscribers, answerMs } = backEnd
  const owner = {}
  let isClosed = false

  const leave = (lease: SqliteLease) => lines.leave(lease)
  const isHeld = (lease: SqliteLease) => lines.holderOf(lease.id) === lease

  function giveUp(lease: SqliteLease): void {
    if (!isHeld(lease)) return
    if (lease.claim) answers.release(lease.claim)
    leave(lease)
  }

  /**
   * Takes the lease once it is this one's turn, and then does something; a request that was answered meanwhile is
   * answered without waiting.
   */
  function enterInLine<T extends { readonly state: string }>(
    lease: SqliteLease,
    go: () => T | Promise<T>,
    settled?: Promise<NotEntered | undefined>,
  ): Promise<T | NotEntered> {
    const run = async () => {
      try {
        const answer = await settled
        const outcome = answer ?? (await go())
        if (outcome.state !== 'entered') giveUp(lease)
        else if (!isHeld(lease)) throw shuttingDown()
        return outcome
      } catch (error) {
        giveUp(lease)
        throw error
      }
    }
    const holder = lines.holderOf(lease.id)
    if (!holder) {
      lines.take(lease)
      return run()
    }
    return new Promise((resolve, reject) => {
      let hasLeft = false
      const next = () => {
        if (hasLeft) return false
        if (isClosed) {
          if (lease.claim) answers.release(lease.claim)
          reject(shuttingDown())
          return false
        }
        lines.take(lease)
        run().then(resolve, reject)
        return true
      }
      const goAway = () => {
        hasLeft = true
        if (lease.claim) answers.release(lease.claim)
      }
      if (!lines.wait(holder, next)) {
        goAway()
        resolve({ state: 'too many waiting' })
        return
      }
      settled?.then(
        (answer) => {
          if (!answer || hasLeft || isHeld(lease)) return
          goAway()
          resolve(answer)
        },
        (error) => {
          if (hasLeft || isHeld(lease)) return
          goAway()
          reject(error)
        },
      )
    })
  }

  async function load(lease: SqliteLease): Promise<Entered | NotEntered> {
    const conversation = await cache.find(lease.id)
    return conversation ? lease.enter(conversation) : notFound
  }

  function loadStart(lease: SqliteLease): EnteredStart {
    const preview = sessions.findPreview(lease.id)
    if (preview) lease.enter(preview)
    return { state: 'entered', lease }
  }

  const fateOfClaim = (claim: Claim, text: string | undefined): Pick<KeepRequest, 'answer' | 'dropped'> =>
    text === undefined
      ? { dropped: claim.name }
      : { answer: { row: { ...claim, text }, expires: folder.now() + answerMs } }

  /** Keeps a turn on the disk, and shows it to others once it is there. */
  async function keepLive(first: FirstCommit, lease: SqliteLease | undefined, turn?: TurnCommit) {
    const { session, results } = first
    const revision = (lease?.revision ?? 0) + 1
    const text = writeConversation(session, revision)
    cache.check(text)
    const { id } = session
    const payloads = turn?.payloads && { fate: turn.payloads, taken: lease?.payloadNumber ?? 0 }
    const kept = await folder.send('keep', {
      session: payloads ? { id, text, revision, payloads } : { id, text, revision },
      ...(results.length > 0 && { results }),
      ...(lease?.claim && fateOfClaim(lease.claim, turn?.answer)),
    })
    if (!kept) return undefined
    folder.untouch(id)
    cache.put(session, { revision, text, payload: kept.payload })
    return revision
  }

  /** Keeps a preview in memory; with results only where a caller gives some. */
  async function keepPreview({ session, results }: FirstCommit, revision: number, claim?: Claim) {
    const text = writeConversation(session, revision)
    cache.check(text)
    const dropped = claim && claims.isOfStart(claim) ? claim.name : undefined
    if (dropped !== undefined || results.length > 0) {
      await folder.send('keep', { results, ...(dropped !== undefined && { dropped }) })
    }
    sessions.save(session, revision)
    return revision
  }

  async function eraseAll(ids: readonly string[]): Promise<void> {
    await folder.send('erase', { ids })
    for (const id of ids) {
      sessions.deleteLive(id)
      answers.forget(id)
      subscribers.wake(id)
    }
  }

  return {
    look: cache.find,
    async whyMissing(id) {
      const reason = await folder.send('why missing', { id })
      if (reason === 'erased') return 'unknown'
      return reason === 'expired' || gone.has(id) ? 'expired' : 'unknown'
    },
    async enter({ id, idempotency }) {
      const claim = idempotency && answers.claim(id, idempotency)
      if (claim && !isClaim(claim)) return claim
      const lease = new SqliteLease(id, { owner, claim })
      if (!claim && !lines.holderOf(id)) {
        const conversation = cache.findCached(id)
        if (conversation) {
          lines.take(lease)
          return lease.enter(conversation)
        }
      }
      const settled = claim && claims.find(claim).then((there) => afterClaim(claim, there))
      return enterInLine(lease, () => load(lease), settled)
    },
    async enterStart(request) {
      const { idempotency } = request
      if ('newId' in request) {
        const claim = await claims.claimStart(request.newId, request.idempotency)
        if (!isClaim(claim)) return claim
        const lease = new SqliteLease(claim.sessionId, { owner, claim })
        return enterInLine(lease, () => loadStart(lease))
      }
      const claim = idempotency && answers.claim(request.previewId, idempotency)
      if (claim && !isClaim(claim)) return claim
      const lease = new SqliteLease(request.previewId, { owner, claim })
      return enterInLine(lease, () => loadStart(lease))
    },
    isHeld: async (lease) => isHeld(lease as SqliteLease),
    async commit(given, turn) {
      const lease = given as SqliteLease
      if (!isHeld(lease)) return undefined
      const { claim } = lease
      const revision =
        turn.session.kind === 'live'
          ? await keepLive(turn, lease, turn)
          : await keepPreview(turn, lease.revision + 1, claim)
      if (revision === undefined) {
        giveUp(lease)
        return undefined
      }
      if (claim && turn.answer !== undefined)
        answers.settle(claim, turn.answer, { isElsewhere: turn.session.kind === 'live' })
      else if (claim) answers.release(claim)
      leave(lease)
      subscribers.wake(lease.id)
      return revision
    },
    async release(given) {
      const lease = given as SqliteLease
      if (!isHeld(lease)) return
      try {
        if (lease.claim && claims.isOfStart(lease.claim)) await claims.drop(lease.claim)
      } finally {
        giveUp(lease)
      }
    },
    async start(first) {
      if (first.session.kind === 'live') await keepLive(first, undefined)
      else await keepPreview(first, 1)
    },
    async erase(id) {
      const lease = new SqliteLease(id, { owner, claim: undefined })
      const outcome = await enterInLine(lease, async () => {
        await eraseAll([id])
        return { state: 'erased' }
      })
      if (outcome.state === 'erased') return
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        'Too many requests are waiting for this session: send one, and the next when it is answered',
      )
    },
    async eraseIdle(ids) {
      const busy = ids.filter((id) => lines.holderOf(id))
      const leases = ids
        .filter((id) => !lines.holderOf(id))
        .map((id) => new SqliteLease(id, { owner, claim: undefined }))
      for (const lease of leases) lines.take(lease)
      try {
        await eraseAll(leases.map(({ id }) => id))
      } finally {
        for (const lease of leases) giveUp(lease)
      }
      return busy
    },
    appendClientLogs({ resultId, flowId, key, logs, requestId, now }) {
      return folder.send('append logs', { key, change: { id: resultId, flowId, now, logs, requestId } })
    },
    async receiveWebhook({ id, revision, text }) {
      const conversation = cache.findCached(id) ?? (await cache.find(id))
      if (conversation?.session.kind !== 'live' || conversation.revision !== revision) return false
      const number = await folder.send('webhook', { id, revision, text })
      if (number === undefined) return false
      cache.putPayload(id, revision, { number, text })
      subscribers.wake(id)
      return true
    },
    subscribe: async (id, wake) => subscribers.add(id, wake),
    async usage() {
      const { sessions: live, answers: kept } = await folder.usage()
      return { live, previews: sessions.previewUsage(), answers: kept }
    },
    async close() {
      isClosed = true
      for (const lease of [...lines.holders()]) {
        if (lease.owner !== owner) continue
        if (lease.claim) answers.abandon(lease.claim)
        leave(lease)
      }
    },
  }
}

const shuttingDown = () => new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')

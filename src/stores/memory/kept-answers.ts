import { droppedAnswer, type IdempotencyKey, type NotEntered } from '../conversation-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { createBoundedTextCache } from './bounded-text-cache.ts'
import { createGoneSessions } from './gone-sessions.ts'

/** A request that is being answered. */
export interface Claim {
  readonly name: string
  readonly fingerprint: string
  /** Of the session that the request is made of, or makes. */
  readonly sessionId: string
}

export interface KeptAnswersOptions {
  /** Accounted bytes of all answers. The one that was given longest ago goes first. */
  readonly maxBytes: number
  /** How long an answer is kept after it was made. */
  readonly ttlMs: number
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * What became of requests that were sent with a key. An answer that exceeds the bound on its own is not kept, and others
 * make room: that there was one is remembered by a hash, so that nothing is done twice.
 *
 * Keys in flight are kept apart and never make room, as there are only as many as there are requests being answered.
 */
export interface KeptAnswers {
  /** Takes a key that counts for one session. */
  claim(sessionId: string, idempotency: IdempotencyKey): Claim | NotEntered
  /** Takes a key that counts for all starts, for this session unless an abandoned claim names another. */
  claimStart(sessionId: string, idempotency: IdempotencyKey): Claim | NotEntered
  /** One that is kept elsewhere too is still found there when it makes room here. */
  settle(claim: Claim, answer: string, keeping?: { readonly isElsewhere: boolean }): void
  /** Gives a key back, since the request failed without effect. */
  release(claim: Claim): void
  /** Lets a repetition go on where the request was left, as its process has ended. */
  abandon(claim: Claim): void
  /** Erases the answers of a session. */
  forget(sessionId: string): void
  usage(): StoreUsage
}

/** What the names of an answer and of its session take besides, in the two maps that find one by the other. */
const bytesPerOwner = 350

/** How many dropped answers are remembered at least; they take up to 15 MB besides the bound, as erased results do. */
const leastDropped = 50_000

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { maxBytes, ttlMs, now } = options
  const dropped = createGoneSessions({ least: leastDropped, ttlMs, now })
  /** Of those that are kept here alone. */
  const answeredAt = new Map<string, number>()
  const running = new Map<string, Claim>()
  const abandoned = new Map<string, Claim>()
  const owners = new Map<string, string>()
  const namesOf = new Map<string, Set<string>>()
  const answered = createBoundedTextCache({
    maxBytes,
    extraBytesPerEntry: bytesPerOwner,
    expiry: { ttlMs, now, isFixed: true },
    gone: disown,
    forgotten(name) {
      const since = answeredAt.get(name)
      if (since !== undefined) dropped.add(name, since)
    },
  })

  function disown(name: string): void {
    const owner = owners.get(name) as string
    owners.delete(name)
    answeredAt.delete(name)
    const names = namesOf.get(owner)
    names?.delete(name)
    if (names?.size === 0) namesOf.delete(owner)
  }

  function take(claim: Claim): Claim | NotEntered {
    const { name, fingerprint } = claim
    const inFlight = running.get(name)
    if (inFlight) return { state: inFlight.fingerprint === fingerprint ? 'running' : 'other request' }
    const text = answered.get(name)
    if (text !== undefined) {
      const head = headOf(fingerprint)
      return text.startsWith(head)
        ? { state: 'answered', answer: text.slice(head.length) }
        : { state: 'other request' }
    }
    if (dropped.has(name)) return { state: 'answered', answer: droppedAnswer }
    const left = abandoned.get(name)
    if (left && left.fingerprint !== fingerprint) return { state: 'other request' }
    abandoned.delete(name)
    const taken = left ?? claim
    running.set(name, taken)
    return taken
  }

  const isRunning = (claim: Claim) => running.get(claim.name) === claim

  return {
    claim: (sessionId, { key, fingerprint }) => take({ name: `${sessionId} ${key}`, fingerprint, sessionId }),
    claimStart: (sessionId, { key, fingerprint }) => take({ name: ` ${key}`, fingerprint, sessionId }),
    settle(claim, answer, { isElsewhere } = { isElsewhere: false }) {
      if (!isRunning(claim)) return
      const { name, fingerprint, sessionId } = claim
      running.delete(name)
      const text = headOf(fingerprint) + answer
      const fits = answered.fits(name, text)
      if (!fits && !isElsewhere) dropped.add(name)
      if (!fits) return
      if (!isElsewhere) answeredAt.set(name, now())
      owners.set(name, sessionId)
      const names = namesOf.get(sessionId) ?? new Set()
      namesOf.set(sessionId, names.add(name))
      answered.set(name, text)
    },
    release(claim) {
      if (isRunning(claim)) running.delete(claim.name)
    },
    abandon(claim) {
      if (!isRunning(claim)) return
      running.delete(claim.name)
      abandoned.set(claim.name, claim)
    },
    forget(sessionId) {
      for (const name of [...(namesOf.get(sessionId) ?? [])]) answered.delete(name)
      for (const [name, claim] of abandoned) if (claim.sessionId === sessionId) abandoned.delete(name)
    },
    usage: answered.usage,
  }
}

/** What stands before an answer. No such text begins another, so the answer is what comes behind it. */
const headOf = (fingerprint: string) => JSON.stringify(fingerprint)

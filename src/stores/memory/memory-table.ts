import { revisionOf } from '../codec/conversation-codec.ts'
import type { ConversationUsage, DueSession } from '../conversation-store.ts'
import type {
  Acquired,
  AcquireRequest,
  ConversationTable,
  Held,
  KeyClaim,
  SessionRow,
  TurnWrite,
} from '../conversations/conversation-table.ts'
import { type AnswerBounds, AnsweredKeys } from '../in-process/answered-keys.ts'
import { earliestOf, KeptSessions, type SessionBounds } from '../in-process/kept-sessions.ts'
import { LocalLeases } from '../in-process/local-leases.ts'
import { RememberedKeys } from '../in-process/remembered-keys.ts'
import type { MemoryContactStore } from './memory-contact-store.ts'
import type { MemoryCountStore } from './memory-count-store.ts'
import type { MemoryOutbox } from './memory-outbox.ts'
import type { MemoryResultStore } from './results/memory-result-store.ts'
import { MemoryTexts } from './session-texts.ts'

interface MemoryTableOptions {
  readonly sessions: SessionBounds
  readonly answers: AnswerBounds
  /** Where the results of turns go. */
  readonly results: Pick<MemoryResultStore, 'apply'>
  readonly outbox: Pick<MemoryOutbox, 'put' | 'erase'>
  readonly contacts: Pick<MemoryContactStore, 'apply' | 'isCurrent'>
  /** Absent where nothing is counted. */
  readonly counts?: Pick<MemoryCountStore, 'apply'> | undefined
  /** Milliseconds since 1970. */
  now(): number
}

/** How many erased sessions are remembered. */
const mostRemembered = 10_000

/** Conversations in this process. A session that made room for others comes back with the turn that was under way in it. */
export class MemoryTable implements ConversationTable {
  readonly renewal = undefined
  readonly texts = new MemoryTexts()
  readonly #sessions: KeptSessions
  readonly #answers: AnsweredKeys
  readonly #results: MemoryTableOptions['results']
  readonly #outbox: MemoryTableOptions['outbox']
  readonly #contacts: MemoryTableOptions['contacts']
  readonly #counts: MemoryTableOptions['counts']
  readonly #leases = new LocalLeases()
  readonly #erased = new RememberedKeys({ most: mostRemembered })

  constructor({ sessions, answers, results, contacts, counts, outbox, now }: MemoryTableOptions) {
    this.#sessions = new KeptSessions({ ...sessions, now })
    this.#answers = new AnsweredKeys({ ...answers, now })
    this.#results = results
    this.#outbox = outbox
    this.#contacts = contacts
    this.#counts = counts
  }

  async read(id: string): Promise<readonly SessionRow[]> {
    return this.#find('session', id)
  }

  async whyMissing(id: string): Promise<'expired' | 'erased' | undefined> {
    if (this.#erased.has(id)) return 'erased'
    return this.#sessions.hasForgotten(id) ? 'expired' : undefined
  }

  async acquire(request: AcquireRequest): Promise<Acquired> {
    const { id, token, claim, needs, isClaimOnly } = request
    const known = claim && this.#known(claim, token)
    if (known) return known
    const rows = this.#find(needs, id)
    if (needs === 'session' && rows.length === 0 && this.#leases.isFree(id)) return { state: 'absent' }
    const fixed = claim ? this.#leases.claim(claim, request) : id
    if (isClaimOnly || !this.#leases.take(fixed, token)) return { state: 'busy', id: fixed }
    return { state: 'acquired', id: fixed, rows: fixed === id ? rows : this.#find(needs, fixed) }
  }

  async commit(write: TurnWrite): Promise<'kept' | 'lost'> {
    const { id, kind, token, text, results, contact, address, claim, answer, droppedPayload } = write
    const { dueIn, outgoing, facts } = write
    const isAllowed = token === undefined || this.#leases.holds({ id, token })
    if (!isAllowed || (kind === 'live' && this.#erased.has(id))) return 'lost'
    if (contact && !this.#contacts.isCurrent(contact)) return 'lost'
    const payload = token === undefined ? undefined : this.#sessions.find(kind, id)?.payload
    const isLater = payload !== undefined && payload.number > droppedPayload
    const row = { kind, text, payload: isLater ? payload : undefined }
    if (results.length > 0 || contact) this.#sessions.check(id, row)
    if (results.length > 0) this.#results.apply(results, address)
    if (contact) this.#contacts.apply(contact, id)
    this.#sessions.put(id, row, dueIn)
    if (outgoing) this.#outbox.put(outgoing)
    if (facts) this.#counts?.apply(facts)
    if (token === undefined) return 'kept'
    const claimed = this.#leases.claimOf(claim, token)
    if (claimed && answer !== undefined)
      this.#answers.put(claim as string, { id, fingerprint: claimed.fingerprint, answer })
    this.#leases.free({ id, token, claim })
    return 'kept'
  }

  async release(held: readonly Held[], { isAbandoned = false } = {}): Promise<void> {
    for (const each of held) this.#leases.free(each, isAbandoned)
  }

  async erase(held: readonly Held[]): Promise<ReadonlySet<string>> {
    const leased = held.filter((each) => this.#leases.holds(each))
    for (const each of leased) {
      this.#sessions.delete('live', each.id)
      this.#answers.forget(each.id)
      this.#leases.forget(each.id)
      this.#erased.add(each.id)
      this.#leases.free(each)
    }
    const ids = new Set(leased.map(({ id }) => id))
    this.#outbox.erase(ids)
    return ids
  }

  async putPayload(id: string, revision: number, text: string): Promise<boolean> {
    const row = this.#sessions.find('live', id)
    if (!row || revisionOf(row.text) !== revision) return false
    this.#sessions.putPayload(id, { ...row, payload: { number: (row.payload?.number ?? 0) + 1, text } })
    this.#leases.wake(id)
    return true
  }

  async due(limit: number): Promise<readonly DueSession[]> {
    return earliestOf(
      this.#sessions.due(limit, (id) => this.#leases.isFree(id)),
      limit,
    )
  }

  async watch(id: string, wake: () => void): Promise<() => void> {
    return this.#leases.watch(id, wake)
  }

  async usage(): Promise<ConversationUsage> {
    return {
      live: this.#sessions.usage('live'),
      previews: this.#sessions.usage('preview'),
      answers: this.#answers.usage(),
    }
  }

  #known(claim: KeyClaim, token: string): Acquired | undefined {
    const other = this.#leases.claimBefore(claim, token)
    if (other) return { state: 'claimed', fingerprint: other.fingerprint, answer: undefined }
    const answered = this.#answers.find(claim.name)
    if (!answered) return undefined
    const { fingerprint = claim.fingerprint, answer } = answered
    return { state: 'claimed', fingerprint, answer }
  }

  #find(needs: AcquireRequest['needs'], id: string): readonly SessionRow[] {
    if (needs === 'lease') return []
    const live = this.#sessions.find('live', id)
    if (live && needs === 'session') return [live]
    const preview = this.#sessions.find('preview', id)
    return [live, preview].filter((row) => row !== undefined)
  }
}

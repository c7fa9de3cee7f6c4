import { revisionOf } from '../codec/conversation-codec.ts'
import { type ConversationUsage, type DueSession, droppedAnswer } from '../conversation-store.ts'
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
import type { DataFolder } from './database.ts'
import type { Calls } from './database-protocol.ts'
import { keepRequestOf } from './keep-request.ts'
import type { AnswerRow } from './thread/answer-rows.ts'
import type { Rows } from './thread/rows.ts'
import type { KeepRequest } from './thread/turn-rows.ts'

interface SqliteTableOptions {
  readonly folder: DataFolder
  /** Of live sessions in memory beside the file, and of previews, which are kept nowhere else. */
  readonly sessions: SessionBounds
  /** Of answers to previews; those of live sessions are in the file, and live as long. */
  readonly answers: AnswerBounds
}

/**
 * Conversations in a file that this process owns. Live sessions are in memory too, as the file has them: whatever it returns is
 * put there in the same order, before anything else can happen. Leases and claims end with the process; the session id that
 * the key of a start has fixed is in the file.
 */
export class SqliteTable implements ConversationTable {
  readonly renewal = undefined
  readonly #folder: DataFolder
  readonly #rows: Calls<Rows['sessions'], 'find' | 'whyMissing' | 'due' | 'putPayload'>
  readonly #answers: Calls<Rows['answers'], 'find' | 'remove'>
  readonly #turns: Calls<Rows['turns'], 'claim' | 'keep' | 'erase'>
  readonly #sessions: KeptSessions
  readonly #previewAnswers: AnsweredKeys
  readonly #answerMs: number
  readonly #leases = new LocalLeases()

  constructor({ folder, sessions, answers }: SqliteTableOptions) {
    const { now } = folder
    this.#folder = folder
    this.#rows = folder.calls('sessions', 'find', 'whyMissing', 'due', 'putPayload')
    this.#answers = folder.calls('answers', 'find', 'remove')
    this.#turns = folder.calls('turns', 'claim', 'keep', 'erase')
    this.#sessions = new KeptSessions({ ...sessions, now })
    this.#previewAnswers = new AnsweredKeys({ ...answers, now })
    this.#answerMs = answers.ttlMs
  }

  async read(id: string): Promise<readonly SessionRow[]> {
    return await this.#find('session', id)
  }

  async whyMissing(id: string): Promise<'expired' | 'erased' | undefined> {
    const reason = await this.#rows.whyMissing(id)
    return reason ?? (this.#sessions.hasForgotten(id) ? 'expired' : undefined)
  }

  acquire(request: AcquireRequest): Promise<Acquired> {
    return request.claim ? this.#claimAndLease(request.claim, request) : this.#lease(request, request.id)
  }

  async commit(write: TurnWrite): Promise<'kept' | 'lost'> {
    const { id, token, claim } = write
    if (token !== undefined && !this.#leases.holds({ id, token })) return 'lost'
    const isKept = await (write.kind === 'live' ? this.#keepLive(write) : this.#keepPreview(write))
    if (!isKept) return 'lost'
    if (token !== undefined) this.#leases.free({ id, token, claim })
    return 'kept'
  }

  async release(held: readonly Held[], { isAbandoned = false } = {}): Promise<void> {
    const claimed = held.filter(({ claim, token }) => this.#leases.claimOf(claim, token)?.fixesId)
    for (const each of held)
      this.#leases.free(
        isAbandoned || !claimed.includes(each) ? each : { ...each, claim: undefined },
        isAbandoned,
      )
    if (isAbandoned) return
    await Promise.all(claimed.map(({ claim }) => this.#answers.remove(claim as string)))
    for (const each of claimed) this.#leases.free(each)
  }

  async erase(held: readonly Held[]): Promise<ReadonlySet<string>> {
    const leased = held.filter((each) => this.#leases.holds(each))
    await this.#turns.erase(leased.map(({ id }) => id))
    for (const each of leased) {
      this.#sessions.delete('live', each.id)
      this.#previewAnswers.forget(each.id)
      this.#leases.forget(each.id)
      this.#leases.free(each)
    }
    return new Set(leased.map(({ id }) => id))
  }

  async putPayload(id: string, revision: number, text: string): Promise<boolean> {
    const row = this.#cached(id) ?? (await this.#fetch(id))
    if (!row || revisionOf(row.text) !== revision) return false
    const number = await this.#rows.putPayload(id, revision, text)
    if (number === undefined) return false
    const cached = this.#sessions.find('live', id)
    if (cached && revisionOf(cached.text) === revision)
      this.#cache(id, { ...cached, payload: { number, text } })
    this.#leases.wake(id)
    return true
  }

  async due(limit: number): Promise<readonly DueSession[]> {
    const isFree = (id: string) => this.#leases.isFree(id)
    // Those that somebody is in are read in vain, at most once for each turn under way.
    const live = await this.#rows.due(limit + this.#leases.count)
    return earliestOf([...live.filter(({ id }) => isFree(id)), ...this.#sessions.due(limit, isFree)], limit)
  }

  async watch(id: string, wake: () => void): Promise<() => void> {
    return this.#leases.watch(id, wake)
  }

  async usage(): Promise<ConversationUsage> {
    const { sessions: live, answers } = await this.#folder.usage()
    return { live, previews: this.#sessions.usage('preview'), answers }
  }

  async #claimAndLease(claim: KeyClaim, request: AcquireRequest): Promise<Acquired> {
    const { id, token, needs } = request
    const before = this.#leases.claimBefore(claim, token)
    if (before) return { state: 'claimed', fingerprint: before.fingerprint, answer: undefined }
    // What is not in memory is read meanwhile.
    const [claimed] = await Promise.all([this.#claim(claim, request), this.#find(needs, id)])
    return typeof claimed === 'string' ? await this.#lease(request, claimed) : claimed
  }

  /** The id that a key stands for, once it is this token's; else what there is of it. */
  async #claim(claim: KeyClaim, request: AcquireRequest): Promise<string | Acquired> {
    const { name, fingerprint } = claim
    const { token } = request
    const own = this.#leases.claimOf(name, token)
    if (own) return own.id
    const previewed = this.#previewAnswers.find(name)
    if (previewed) return { state: 'claimed', fingerprint, ...previewed }
    const id = this.#leases.claim(claim, request)
    const there = await this.#storedClaim(claim, id).catch((error: unknown) => {
      this.#leases.free({ id, token, claim: name })
      throw error
    })
    if (!there) return id
    this.#leases.free({ id, token, claim: name })
    // The process that claimed it has ended on the way.
    if (there.text === undefined && there.fingerprint === fingerprint)
      return this.#leases.claim(claim, { ...request, id: there.sessionId })
    const known = there.text === droppedAnswer ? fingerprint : there.fingerprint
    return { state: 'claimed', fingerprint: known, answer: there.text }
  }

  #storedClaim({ name, fingerprint, fixesId }: KeyClaim, sessionId: string): Promise<AnswerRow | undefined> {
    if (!fixesId) return this.#answers.find(name)
    const answer = { name, sessionId, fingerprint, text: undefined }
    return this.#turns.claim(answer, this.#folder.now() + this.#answerMs)
  }

  /** Takes the lease first: what is read afterwards stays as it is. */
  async #lease({ token, claim, needs, isClaimOnly }: AcquireRequest, id: string): Promise<Acquired> {
    if (isClaimOnly || !this.#leases.take(id, token)) return { state: 'busy', id }
    const cached = needs === 'session' ? this.#cached(id) : undefined
    if (cached) return { state: 'acquired', id, rows: [cached] }
    const held = { id, token, claim: claim?.name }
    try {
      const rows = await this.#find(needs, id)
      if (needs !== 'session' || rows.length > 0) return { state: 'acquired', id, rows }
    } catch (error) {
      this.#leases.free(held)
      throw error
    }
    this.#leases.free(held)
    return { state: 'absent' }
  }

  /** Keeps a turn on the disk, and shows it to others once it is there. */
  async #keepLive(write: TurnWrite): Promise<boolean> {
    const { id, kind, text } = write
    this.#sessions.check(id, { kind, text, payload: undefined })
    const kept = await this.#turns.keep(keepRequestOf(write, this.#fateOfClaim(write)))
    if (!kept) return false
    this.#folder.untouch(id)
    this.#cache(id, { kind, text, payload: kept.payload })
    return true
  }

  /** Keeps a preview in memory; with results only where a caller gives some. */
  async #keepPreview({ id, kind, token, text, results, claim, answer, dueIn }: TurnWrite): Promise<boolean> {
    const row = { kind, text, payload: undefined }
    this.#sessions.check(id, row)
    const claimed = this.#leases.claimOf(claim, token)
    if (claimed?.fixesId || results.length > 0)
      await this.#turns.keep({ results, ...(claimed?.fixesId && { dropped: claim as string }) })
    this.#sessions.put(id, row, dueIn)
    if (claimed && answer !== undefined)
      this.#previewAnswers.put(claim as string, { id, fingerprint: claimed.fingerprint, answer })
    return true
  }

  #fateOfClaim({ id, token, claim: name, answer: text }: TurnWrite): Pick<KeepRequest, 'answer' | 'dropped'> {
    const claimed = this.#leases.claimOf(name, token)
    if (!claimed || name === undefined) return {}
    if (text === undefined) return claimed.fixesId ? { dropped: name } : {}
    const row = { name, sessionId: id, fingerprint: claimed.fingerprint, text }
    return { answer: { row, expires: this.#folder.now() + this.#answerMs } }
  }

  async #find(needs: AcquireRequest['needs'], id: string): Promise<readonly SessionRow[]> {
    if (needs === 'lease') return []
    const live = needs === 'session' ? (this.#cached(id) ?? (await this.#fetch(id))) : undefined
    const row = live ?? this.#sessions.find('preview', id)
    return row ? [row] : []
  }

  #cached(id: string): SessionRow | undefined {
    const row = this.#sessions.find('live', id)
    if (row) this.#folder.touch(id)
    return row
  }

  async #fetch(id: string): Promise<SessionRow | undefined> {
    const row = await this.#rows.find(id, this.#folder.readAt(id))
    if (!row) return undefined
    this.#cache(id, row)
    this.#folder.touch(id)
    return row
  }

  #cache(id: string, row: SessionRow): void {
    try {
      this.#sessions.put(id, row)
    } catch {
      // It is on the disk, and read from there.
      this.#sessions.delete('live', id)
    }
  }
}

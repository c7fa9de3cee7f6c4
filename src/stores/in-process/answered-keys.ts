import { droppedAnswer } from '../conversation-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { BoundedCache } from './bounded-cache.ts'
import { bytesOfText, flatText } from './flat-text.ts'
import { RememberedKeys } from './remembered-keys.ts'

export interface AnswerBounds {
  /** Accounted bytes of all answers. The one that was given longest ago goes first. */
  readonly maxBytes: number
  /** How long an answer is kept after it was made. */
  readonly ttlMs: number
}

interface Answered {
  /** Of the session that it was given in. */
  readonly id: string
  readonly fingerprint: string
  readonly answer: string
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Bytes of an answer besides its texts, as an object of its own and among those of its session. */
const bytesPerAnswer = 350

/** How many dropped answers are remembered; they take up to 10 MB besides the bound. */
const mostDropped = 50_000

/**
 * Answers to requests with a key, by the names of the keys. One that exceeds the bound on its own is not kept, and others
 * make room: that there was one is remembered by a hash, so that nothing is done twice.
 */
export class AnsweredKeys {
  readonly #now: () => number
  readonly #dropped: RememberedKeys
  readonly #namesOf = new Map<string, Set<string>>()
  readonly #answers: BoundedCache<Answered>

  constructor({ maxBytes, ttlMs, now }: AnswerBounds & { now(): number }) {
    this.#now = now
    this.#dropped = new RememberedKeys({ most: mostDropped, expiry: { ttlMs, now } })
    this.#answers = new BoundedCache<Answered>({
      maxBytes,
      expiry: { ttlMs, now, isFixed: true },
      gone: (name, { id }) => this.#disown(name, id),
      forgotten: (name, { since }) => this.#dropped.add(name, since),
    })
  }

  /** The answer of a key; the text alone of one that made room. */
  find(name: string): (Pick<Answered, 'answer'> & Partial<Answered>) | undefined {
    const found = this.#answers.get(name)
    if (found) return found
    return this.#dropped.has(name) ? { answer: droppedAnswer } : undefined
  }

  put(name: string, { id, fingerprint, answer }: Omit<Answered, 'since'>): void {
    const bytes = bytesOfText(answer) + bytesOfText(fingerprint) + bytesOfText(id) + bytesPerAnswer
    if (!this.#answers.fits(name, bytes)) {
      this.#dropped.add(name)
      return
    }
    this.#answers.set(name, { id, fingerprint, answer: flatText(answer), since: this.#now() }, bytes)
    this.#namesOf.set(id, (this.#namesOf.get(id) ?? new Set()).add(name))
  }

  /** Erases the answers of a session. */
  forget(id: string): void {
    for (const name of [...(this.#namesOf.get(id) ?? [])]) this.#answers.delete(name)
  }

  usage(): StoreUsage {
    return this.#answers.usage()
  }

  #disown(name: string, id: string): void {
    const names = this.#namesOf.get(id)
    names?.delete(name)
    if (names?.size === 0) this.#namesOf.delete(id)
  }
}

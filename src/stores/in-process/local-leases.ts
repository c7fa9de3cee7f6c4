import type { AcquireRequest, Held, KeyClaim } from '../conversations/conversation-table.ts'
import { createSubscribers } from './subscribers.ts'

interface Claim extends Omit<KeyClaim, 'name'> {
  /** Of the session that the request is made of, or makes. */
  readonly id: string
  /** Undefined for one that was abandoned. */
  readonly token: string | undefined
}

/** Leases, claims and watches of a back end that one process has for itself: they end with it, and need no renewal. */
export class LocalLeases {
  readonly #leases = new Map<string, string>()
  readonly #claims = new Map<string, Claim>()
  readonly #watchers = createSubscribers()

  get count(): number {
    return this.#leases.size
  }

  isFree(id: string): boolean {
    return !this.#leases.has(id)
  }

  /** False where another token has it. */
  take(id: string, token: string): boolean {
    const holder = this.#leases.get(id)
    if (holder === undefined) this.#leases.set(id, token)
    return holder === undefined || holder === token
  }

  holds({ id, token }: Pick<Held, 'id' | 'token'>): boolean {
    return this.#leases.get(id) === token
  }

  /** The claim of a key that keeps a request from it. */
  claimBefore({ name, fingerprint }: KeyClaim, token: string): Claim | undefined {
    const claim = this.#claims.get(name)
    if (!claim || claim.token === token) return undefined
    return claim.token !== undefined || claim.fingerprint !== fingerprint ? claim : undefined
  }

  /** Claims a free key; the id that it stands for, which an abandoned claim has fixed. */
  claim({ name, ...claim }: KeyClaim, { id, token }: Pick<AcquireRequest, 'id' | 'token'>): string {
    const fixed = this.#claims.get(name)?.id ?? id
    this.#claims.set(name, { ...claim, id: fixed, token })
    return fixed
  }

  /** The claim of a name, if the token has it. */
  claimOf(name: string | undefined, token: string | undefined): Claim | undefined {
    const claim = name === undefined ? undefined : this.#claims.get(name)
    return claim && claim.token === token ? claim : undefined
  }

  /** Gives the lease and the claim of a token back. */
  free({ id, token, claim: name }: Held, isAbandoned = false): void {
    const claim = this.claimOf(name, token)
    if (claim && isAbandoned) this.#claims.set(name as string, { ...claim, token: undefined })
    else if (claim) this.#claims.delete(name as string)
    if (!this.holds({ id, token })) return
    this.#leases.delete(id)
    this.#watchers.wake(id)
  }

  /** Forgets the abandoned claims of a session. */
  forget(id: string): void {
    for (const [name, claim] of this.#claims)
      if (claim.id === id && claim.token === undefined) this.#claims.delete(name)
  }

  watch(id: string, wake: () => void): () => void {
    return this.#watchers.add(id, wake)
  }

  wake(id: string): void {
    this.#watchers.wake(id)
  }
}

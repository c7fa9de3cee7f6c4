import type { StoreUsage } from './store-usage.ts'

/** What became of a request that was sent with a key. */
export type Claim =
  /** Nobody used the key: the caller answers the request, and then settles or releases the key. */
  | { readonly state: 'claimed' }
  /** The request is being answered. */
  | { readonly state: 'running' }
  /** The request was answered before. */
  | { readonly state: 'answered'; readonly answer: string }
  /** The key was used with another request. */
  | { readonly state: 'other request' }

/**
 * Remembers the answers of requests that were sent with a key, for a while and within a bound.
 * `test/stores/contracts/idempotency-store.ts` is the definition in full.
 */
export interface IdempotencyStore {
  /** Takes a key for a request, which is told by its fingerprint. */
  claim(key: string, fingerprint: string): Promise<Claim>
  /**
   * Keeps the answer of a claimed key; a key that nobody has claimed stays free. A key whose answer is too large to
   * be kept is released: a request that repeats it is then done again.
   */
  settle(key: string, answer: string): Promise<void>
  /** Gives a claimed key back, since the request failed without effect. An answer that is kept stays. */
  release(key: string): Promise<void>
  /** Of the answers. */
  usage(): Promise<StoreUsage>
}

import type { IdempotencyKey } from '../conversation-store.ts'
import type { RedisConnection } from './connection/redis-connection.ts'
import { startClaimKey } from './conversation-keys.ts'
import { claimStartScript, unclaimStartScript } from './scripts/conversation-scripts.ts'

/**
 * The session ids that starts with a key have fixed. The answer is kept with the session, and so in another slot of a
 * cluster: a claim only says where to look.
 */
export interface StartClaims {
  /**
   * The session id of a key, which is the new one where there is none, or where the one there is leads nowhere.
   * Undefined when the key was used with another fingerprint.
   */
  claim(idempotency: IdempotencyKey, newId: string, stale?: string): Promise<string | undefined>
  /** Gives the key back, unless it is another session's by now. */
  drop(key: string, id: string): Promise<void>
}

/** A claim outlives the answer that it leads to. */
const longerMs = 60_000

export function createStartClaims(
  { run }: Pick<RedisConnection, 'run'>,
  { answerMs }: { readonly answerMs: number },
): StartClaims {
  return {
    async claim({ key, fingerprint }, newId, stale = '') {
      const args = [fingerprint, newId, answerMs + longerMs, stale]
      const [state, id] = (await run(claimStartScript, [startClaimKey(key)], args)) as [string, string]
      return state === 'claimed' ? id : undefined
    },
    async drop(key, id) {
      await run(unclaimStartScript, [startClaimKey(key)], [id])
    },
  }
}

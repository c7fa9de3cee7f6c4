import { hash } from 'node:crypto'

/**
 * Names a session where its id may not stand, as whoever has the id has the conversation. Ids are random, so that none is
 * found by its hash; without a key, every process and every version names it alike.
 */
export function sessionHash(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url').slice(0, 22)
}

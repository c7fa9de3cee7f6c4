import type { Session } from './session.ts'

/**
 * Keeps sessions for as long as they are used, under keys of the caller's making.
 *
 * What is handed in and out is never shared with what is kept: a session that is changed after `save`, or after
 * `get`, changes nothing in the store. A store is bounded; a session may be forgotten before its time to make room:
 * those that were saved once before those that were saved again, the least recently used first.
 * `test/stores/contracts/session-store.ts` is the definition in full.
 */
export interface SessionStore {
  /** The session, its time to live renewed; undefined when there is none, or its time has passed. */
  get(key: string): Promise<Session | undefined>
  /**
   * Keeps a session in place of what the key held before, and renews its time to live.
   * Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, when the store could never hold it.
   */
  save(key: string, session: Session): Promise<void>
  /** Forgets a session. One that is not there is no error. */
  delete(key: string): Promise<void>
  /**
   * Runs turns of one key one at a time, in the order of the calls; other keys are not held up, nor is anything that
   * does without `exclusive`. A turn that fails rejects its own call only. A turn must not wait for another of its
   * own key.
   *
   * Throws TOO_MANY_REQUESTS, and runs nothing, when too many turns of the key are waiting.
   */
  exclusive<T>(key: string, turn: () => Promise<T>): Promise<T>
  /** Lets go of what the store holds. It is not used afterwards. */
  close(): Promise<void>
}

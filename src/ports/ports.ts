/** Calls of a turn to the outside. Tests pass fixed ones; adapters implement the real ones. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only ever grow, for measuring how long something took. */
  elapsed(): number
  /** Evenly from [0, 1). */
  random(): number
  /** A secret of at least 120 bits; the id of an event is no secret, and only unlike all others. The purpose may not show in the id. */
  createId(purpose: 'session' | 'result' | 'value' | 'upload' | 'event'): string
  /** Resolves once every other waiting turn has run. */
  nextTurn(): Promise<void>
  /**
   * Resolves once work may begin: between two turns of what waits, in the order of arrival. Undefined where nothing
   * waits, and work may begin at once.
   */
  firstTurn(): Promise<void> | undefined
}

/** A text by the hash of its content. */
export interface Definition {
  readonly hash: string
  readonly text: string
}

/**
 * Keeps the texts of definitions by the hash of their content: what sessions and published flows name by hash.
 *
 * A definition that somebody retains is kept whatever it takes; the others share bounds, the least recently used goes
 * first, and those that were never retained take no room from those that were. Published flows retain theirs. Sessions
 * do not: drafts are of strangers' making, and would outgrow any bound. A session whose definition has gone has come to
 * its end.
 */
export interface DefinitionStore {
  /**
   * Keeps a text under its hash; does nothing but count as a use when it is there already.
   * Throws PAYLOAD_TOO_LARGE when the hash is not retained and the text exceeds the bound on its own.
   */
  put(hash: string, text: string): Promise<void>
  /** The text, which then counts as used; undefined when it was never put or has gone. */
  get(hash: string): Promise<string | undefined>
  /** Those of these that are there, looked up together. None counts as used by it. */
  getAll(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Keeps definitions until as many calls of `release`. All are written as one unit; where that fails, none is retained. */
  retain(definitions: readonly Definition[]): Promise<void>
  /** Takes one `retain` of each back. Without one before it, nothing happens. */
  release(hashes: readonly string[]): Promise<void>
}

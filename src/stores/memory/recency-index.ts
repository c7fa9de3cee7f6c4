/** Keys in the order in which they last changed. */
export interface RecencyIndex {
  /** A key changed, or is new. */
  touch(key: string): void
  remove(key: string): void
  /** The key that changed longest ago, and when; undefined when there is none. */
  oldest(): { readonly key: string; readonly changedAt: number } | undefined
}

/** Every call takes constant time on average. `now` gives the time of a change. */
export function createRecencyIndex(now: () => number): RecencyIndex {
  interface Change {
    readonly key: string
    readonly changedAt: number
  }
  const changes = new Map<string, Change>()
  // The walk over the map is kept: each new one would pass the gaps that all who left have left behind.
  let walk = changes.values()
  let oldest: Change | undefined
  return {
    touch(key) {
      changes.delete(key)
      changes.set(key, { key, changedAt: now() })
    },
    remove: (key) => void changes.delete(key),
    oldest() {
      while (oldest === undefined || changes.get(oldest.key) !== oldest) {
        oldest = walk.next().value
        if (oldest) continue
        // All entries were visited or removed; an iteration that has ended does not see later ones.
        walk = changes.values()
        return undefined
      }
      return oldest
    },
  }
}

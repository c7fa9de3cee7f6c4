/** The keys that were added lately: at least the latest `least` of them, and never twice as many. */
export interface RecentKeys {
  add(key: string): void
  has(key: string): boolean
}

/** Keeps two generations, as a set that loses its first key again and again would take ever longer to find it. */
export function createRecentKeys(least: number): RecentKeys {
  let latest = new Set<string>()
  let earlier: ReadonlySet<string> = new Set()
  return {
    add(key) {
      latest.add(key)
      if (latest.size < least) return
      earlier = latest
      latest = new Set()
    },
    has: (key) => latest.has(key) || earlier.has(key),
  }
}

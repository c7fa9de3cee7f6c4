import type { StoreUsage } from '../store-usage.ts'

/** The rows of a count: one, or none of an empty table. */
type Counted = Pick<StoreUsage, 'entries' | 'bytes'>

/** So few are counted anew each time. */
const fewEntries = 10_000

/** Of the time that a count took: how long it stands before it is made anew. */
const restFactor = 100

/** Counts what a table holds, more rarely the longer that takes. Nothing makes room for others here. */
export function createCountedUsage(count: () => Promise<readonly Counted[]>): () => Promise<StoreUsage> {
  let standing: { readonly usage: StoreUsage; readonly until: number } | undefined
  return async () => {
    const start = performance.now()
    if (standing && start < standing.until) return standing.usage
    const [{ entries, bytes } = { entries: 0, bytes: 0 }] = await count()
    const usage = { entries, bytes, evicted: 0 }
    const end = performance.now()
    standing = entries > fewEntries ? { usage, until: end + restFactor * (end - start) } : undefined
    return usage
  }
}

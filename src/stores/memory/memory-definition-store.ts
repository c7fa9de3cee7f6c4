import type { DefinitionStore } from '../definition-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { createBoundedTextCache } from './bounded-text-cache.ts'

interface Retained {
  references: number
  text: string | undefined
}

export interface MemoryDefinitionStoreOptions {
  /** Of those that were retained once. */
  readonly maxBytes: number
  /** Of those that never were. */
  readonly draftMaxBytes: number
}

export interface MemoryDefinitionStore extends DefinitionStore {
  /** Of those that were retained once, and are no more. */
  usage(): StoreUsage
  /** Of those that never were. */
  draftUsage(): StoreUsage
}

/**
 * Keeps definitions in this process. Drafts have a bound of their own: their senders must not push out the
 * former versions of published flows.
 */
export function createMemoryDefinitionStore(options: MemoryDefinitionStoreOptions): MemoryDefinitionStore {
  const retained = new Map<string, Retained>()
  const drafts = createBoundedTextCache({ maxBytes: options.draftMaxBytes, areFlat: true })
  const released = createBoundedTextCache({ maxBytes: options.maxBytes, areFlat: true })
  const known = (hash: string) => released.get(hash) ?? drafts.get(hash)
  return {
    async put(hash, text) {
      const entry = retained.get(hash)
      if (entry) entry.text ??= text
      else if (known(hash) === undefined) drafts.set(hash, text)
    },
    async get(hash) {
      return retained.get(hash)?.text ?? known(hash)
    },
    async retain(hash) {
      const entry = retained.get(hash) ?? { references: 0, text: known(hash) }
      entry.references += 1
      retained.set(hash, entry)
      drafts.delete(hash)
      released.delete(hash)
    },
    async release(hash) {
      const entry = retained.get(hash)
      if (!entry) return
      entry.references -= 1
      if (entry.references > 0) return
      retained.delete(hash)
      // Letting go is never refused: a text that exceeds the bound on its own has simply gone.
      if (entry.text !== undefined && released.fits(hash, entry.text)) released.set(hash, entry.text)
    },
    usage: released.usage,
    draftUsage: drafts.usage,
  }
}

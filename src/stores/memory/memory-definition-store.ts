import type { Definition, DefinitionStore } from '../definition-store.ts'
import { BoundedCache } from '../in-process/bounded-cache.ts'
import { bytesOfText } from '../in-process/flat-text.ts'
import type { StoreUsage } from '../store-usage.ts'

interface MemoryDefinitionStoreOptions {
  /** Of those that were retained once. */
  readonly maxBytes: number
  /** Of those that never were. */
  readonly draftMaxBytes: number
}

export interface MemoryDefinitionStore extends DefinitionStore {
  /** Definitions that are retained now. */
  retained(): Definition[]
  isRetained(hash: string): boolean
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
  const retained = new Map<string, { readonly text: string; references: number }>()
  const drafts = new BoundedCache<string>({ maxBytes: options.draftMaxBytes })
  const released = new BoundedCache<string>({ maxBytes: options.maxBytes })
  const known = (hash: string) => released.get(hash) ?? drafts.get(hash)

  function release(hash: string): void {
    const entry = retained.get(hash)
    if (!entry) return
    entry.references -= 1
    if (entry.references > 0) return
    retained.delete(hash)
    // Letting go is never refused: a text that exceeds the bound on its own has simply gone.
    const bytes = bytesOfText(entry.text)
    if (released.fits(hash, bytes)) released.set(hash, entry.text, bytes)
  }

  return {
    async put(hash, text) {
      if (!retained.has(hash) && known(hash) === undefined) drafts.set(hash, text, bytesOfText(text))
    },
    async get(hash) {
      return retained.get(hash)?.text ?? known(hash)
    },
    async getAll(hashes) {
      const texts = hashes.map((hash) => [hash, retained.get(hash)?.text ?? known(hash)] as const)
      return new Map(texts.flatMap(([hash, text]) => (text === undefined ? [] : [[hash, text]])))
    },
    async retain(definitions) {
      for (const { hash, text } of definitions) {
        const entry = retained.get(hash) ?? { text, references: 0 }
        entry.references += 1
        retained.set(hash, entry)
        drafts.delete(hash)
        released.delete(hash)
      }
    },
    release: async (hashes) => hashes.forEach(release),
    retained: () => [...retained].map(([hash, { text }]) => ({ hash, text })),
    isRetained: (hash) => retained.has(hash),
    usage: () => released.usage(),
    draftUsage: () => drafts.usage(),
  }
}

import type { DefinitionStore } from './definition-store.ts'
import { createTextCache } from './text-cache.ts'

interface Retained {
  references: number
  text: string | undefined
}

/** Keeps definitions in this process. The bound is that of the definitions which nobody retains. */
export function createMemoryDefinitionStore({ maxBytes }: { readonly maxBytes: number }): DefinitionStore {
  const retained = new Map<string, Retained>()
  const others = createTextCache({ maxBytes })
  return {
    async put(hash, text) {
      const entry = retained.get(hash)
      if (entry) entry.text ??= text
      else if (others.get(hash) === undefined) others.set(hash, text)
    },
    async get(hash) {
      return retained.get(hash)?.text ?? others.get(hash)
    },
    async retain(hash) {
      const entry = retained.get(hash) ?? { references: 0, text: others.get(hash) }
      entry.references += 1
      retained.set(hash, entry)
      others.delete(hash)
    },
    async release(hash) {
      const entry = retained.get(hash)
      if (!entry) return
      entry.references -= 1
      if (entry.references > 0) return
      retained.delete(hash)
      // Letting go is never refused: a text that exceeds the bound on its own has simply gone.
      if (entry.text !== undefined && others.fits(hash, entry.text)) others.set(hash, entry.text)
    },
  }
}

import { LRUCache } from 'lru-cache'
import { contentHash } from '../definition/content-hash.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { type BlockRegistry, compileFlow } from '../engine/compile.ts'
import type { Program } from '../engine/program.ts'

/** A definition that is ready to run, with the text that names it. */
export interface PreparedDefinition {
  readonly program: Program
  /** The definition as JSON: what its hash is made of, and what a store keeps. */
  readonly text: string
}

/** What a character of a definition can take once compiled: nothing is denser than placeholders one after the other. */
const bytesPerCharacter = 20

/** Compiled programs by the content of their definitions, the most recent ones kept. */
export interface Programs {
  /** Validates and compiles a definition. Throws `ServiceError` with pointers into the definition. */
  prepare(definition: unknown): PreparedDefinition
  /** The program of this hash, when it is kept. */
  known(hash: string): Program | undefined
}

export function createPrograms(options: { registry: BlockRegistry; maxBytes: number }): Programs {
  const cache = new LRUCache<string, Program>({ maxSize: options.maxBytes })
  return {
    known: (hash) => cache.get(hash),
    prepare(definition) {
      const text = serialise(definition)
      const hash = contentHash(text)
      const known = cache.get(hash)
      if (known) return { program: known, text }
      const program = compileFlow(readDefinition(definition), options.registry, hash)
      cache.set(hash, program, { size: bytesPerCharacter * text.length })
      return { program, text }
    },
  }
}

/** A definition nested beyond the reach of the serialiser is beyond that of any flow, and refused as such. */
function serialise(definition: unknown): string {
  try {
    return JSON.stringify(definition)
  } catch (error) {
    readDefinition(definition)
    throw error
  }
}

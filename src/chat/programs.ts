import { LRUCache } from 'lru-cache'
import { contentHash } from '../definition/content-hash.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { type BlockRegistry, compileFlow } from '../engine/compile.ts'
import type { Program } from '../engine/program.ts'
import type { Ports, SentBody, StoreUsage } from '../ports.ts'

/** A definition that is ready to run, with the text that names it. */
export interface PreparedDefinition {
  readonly program: Program
  /** JSON that the hash is made of, and that a store keeps: the definition, or the body that brought a draft. */
  readonly text: string
  /** Whether it was compiled before, and kept. */
  readonly wasKnown: boolean
}

/** A draft, in the body of a request. */
export interface Draft {
  readonly flow: unknown
  readonly sentBody: SentBody
}

/** What the hashes of drafts begin with: they name a body, and others a definition. */
const draftMark = 'draft-'

/** What a character of a definition can take once compiled: nothing is denser than placeholders one after the other. */
const bytesPerCharacter = 20

/** Characters of a definition up to which it is prepared in one go. */
const mostAtOnce = 256 * 1024

/** Compiled programs by the content of their definitions, the most recent ones kept. */
export interface Programs {
  /** Validates and compiles a definition. Throws `ServiceError` with pointers into the definition. */
  prepare(definition: unknown): PreparedDefinition
  /**
   * As `prepare`, at less cost: a draft is not written down again to be named, so that the same draft in another body
   * counts as another. Where it is large, others have their turn on the way.
   */
  prepareDraft(draft: Draft, nextTurn: Ports['nextTurn']): Promise<PreparedDefinition>
  /** The program of this hash, when it is kept. */
  known(hash: string): Program | undefined
  /** Compiles what was prepared before from its hash and its text. */
  restore(named: { hash: string; text: string }, nextTurn: Ports['nextTurn']): Promise<Program>
  /** By what programs can take at most. */
  usage(): StoreUsage
}

export function createPrograms(options: { registry: BlockRegistry; maxBytes: number }): Programs {
  let evicted = 0
  const cache = new LRUCache<string, Program>({
    maxSize: options.maxBytes,
    dispose: (_program, _hash, reason) => {
      if (reason === 'evict') evicted += 1
    },
  })

  /** Pauses between the parts of the work. */
  function* compiled(hash: string, text: string, definition: unknown): Generator<void, PreparedDefinition> {
    const known = cache.get(hash)
    if (known) return { program: known, text, wasKnown: true }
    yield
    const flow = readDefinition(definition)
    yield
    const program = compileFlow(flow, options.registry, hash)
    cache.set(hash, program, { size: bytesPerCharacter * text.length })
    yield
    return { program, text, wasKnown: false }
  }

  return {
    known: (hash) => cache.get(hash),
    usage: () => ({ entries: cache.size, bytes: cache.calculatedSize, evicted }),
    prepare(definition) {
      const text = serialise(definition)
      return inOneGo(compiled(contentHash(text), text, definition))
    },
    prepareDraft: ({ flow, sentBody: { text, bytes } }, nextTurn) =>
      byTurns(compiled(draftMark + contentHash(bytes), text, flow), text, nextTurn),
    async restore({ hash, text }, nextTurn) {
      const parsed = JSON.parse(text)
      const definition = hash.startsWith(draftMark) ? parsed.flow : parsed
      return (await byTurns(compiled(hash, text, definition), text, nextTurn)).program
    },
  }
}

function inOneGo<Result>(parts: Generator<void, Result>): Result {
  let part = parts.next()
  while (!part.done) part = parts.next()
  return part.value
}

/** Lets others have their turn between the parts of the work on a long text. */
async function byTurns<Result>(
  parts: Generator<void, Result>,
  text: string,
  nextTurn: Ports['nextTurn'],
): Promise<Result> {
  if (text.length <= mostAtOnce) return inOneGo(parts)
  let part = parts.next()
  while (!part.done) {
    await nextTurn()
    part = parts.next()
  }
  return part.value
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

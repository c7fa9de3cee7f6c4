import { LRUCache } from 'lru-cache'
import { parse } from 'secure-json-parse'
import type { Flow } from '../../../schemas/flow.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import { estimateProgramBytes } from '../../engine/compile/program-size.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Program } from '../../engine/model/program.ts'
import type { StoreUsage } from '../../ports/known-types.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CachedDraft, RawJsonBody } from '../../ports/raw-json-body.ts'
import { createProgramLru } from './program-lru.ts'

/** A definition that is ready to run, with the text that names it. */
interface PreparedDefinition {
  readonly program: Program
  /** JSON that the hash is made of, and that a store keeps. */
  readonly text: string
  /** The flow that it was compiled from; absent where it was compiled before. */
  readonly flow?: Flow
}

interface PreparedDraft {
  readonly program: Program
  /** Whether it was compiled before, and kept. */
  readonly wasKnown: boolean
}

/** A definition that was read, with what was made of it. */
export interface ReadFlow {
  readonly flow: Flow
  readonly program: Program
}

/** A draft that was read, with what was sent. */
export interface ReadDraft extends ReadFlow {
  readonly definition: unknown
}

/** The body of a preview start that brings a draft. */
export interface DraftBody {
  readonly flow?: unknown
}

/** Prefix of the hashes of drafts: they name a body, and others a definition. */
const draftMark = 'draft-'

/** Characters of a definition up to which it is prepared in one go. */
const mostAtOnce = 1536 * 1024

/** How many drafts are remembered to have come once, each of the size 1: by `max`, lists would be allocated at once. */
const mostMet = 1000

interface ProgramCacheOptions {
  readonly registry: BlockRegistry
  readonly maxBytes: number
}

/** Keeps compiled programs by the content of their definitions, the most recent ones. */
export class ProgramCache {
  readonly #registry: BlockRegistry
  readonly #cache: ReturnType<typeof createProgramLru>
  readonly #met = new LRUCache<string, true>({ maxSize: mostMet })

  constructor({ registry, maxBytes }: ProgramCacheOptions) {
    this.#registry = registry
    this.#cache = createProgramLru(maxBytes)
  }

  /** By what they are estimated to take up, with what they have grown by. */
  usage(): StoreUsage {
    return this.#cache.usage()
  }

  /** The program of this hash, when it is kept. */
  known(hash: string): Program | undefined {
    return this.#cache.get(hash)?.program
  }

  /** The draft in the body of this name, when it is kept. */
  recall(name: string): CachedDraft | undefined {
    const { program, body } = this.#cache.get(draftMark + name) ?? {}
    return program && body && { program, body }
  }

  /** Validates and compiles a definition. Throws `ServiceError` with pointers into the definition. */
  prepare(definition: unknown): PreparedDefinition {
    const text = serialise(definition)
    const hash = contentHash(text)
    const kept = this.known(hash)
    if (kept) return { program: kept, text }
    const { flow, program } = inOneGo(this.read(definition, hash))
    this.#keep(program, text)
    return { program, text, flow }
  }

  /**
   * Validates and compiles a definition that is looked at once; nothing of it is kept. Pauses between the parts. The
   * program has this hash, or none.
   */
  *read(definition: unknown, hash = ''): Generator<void, ReadFlow> {
    const flow = readDefinition(definition, this.#registry)
    yield
    const program = compileFlow(flow, this.#registry, hash)
    yield
    return { flow, program }
  }

  /** As `read`, for the draft in a body, which is looked for in its text when it was recalled. */
  *readDraft({ flow }: DraftBody, { text }: RawJsonBody): Generator<void, ReadDraft> {
    const definition = flow ?? flowIn(text)
    return { definition, ...(yield* this.read(definition)) }
  }

  /**
   * As `prepare`, at less cost: a draft is named by the body that brings it, so that the same draft in another body
   * counts as another. Most drafts come once, and are gone with the answer: one is kept when it comes again. Where it is
   * large, others have their turn on the way.
   */
  async prepareDraft(
    { flow, ...rest }: DraftBody,
    { name, text }: RawJsonBody,
    nextTurn: Ports['nextTurn'],
  ): Promise<PreparedDraft> {
    const hash = draftMark + name
    const kept = this.known(hash)
    const program = kept ?? (await byTurns(this.#compile(hash, flow), text, nextTurn))
    if (kept || this.#met.get(hash)) this.#keep(program, text, rest)
    else this.#met.set(hash, true, { size: 1 })
    return { program, wasKnown: kept !== undefined }
  }

  /** Compiles what was prepared before from its hash and its text. */
  async restore(
    { hash, text }: { hash: string; text: string },
    nextTurn: Ports['nextTurn'],
  ): Promise<Program> {
    const definition = definitionIn({ hash, text })
    const program = await byTurns(this.#compile(hash, definition), text, nextTurn)
    this.#keep(program, text)
    return program
  }

  /** Pauses before the work too. */
  *#compile(hash: string, definition: unknown): Generator<void, Program> {
    yield
    return (yield* this.read(definition, hash)).program
  }

  #keep(program: Program, text: string, body?: object): void {
    const kept = this.#cache.get(program.hash)
    // The text of a hash is always the same, and long: it is gone through once.
    const bytes = kept?.program === program ? kept.bytes : estimateProgramBytes(text)
    this.#cache.set({ program, bytes, ...(body && { body }) })
  }
}

/** The definition that a store keeps as this text under this hash. */
export function definitionIn({ hash, text }: { readonly hash: string; readonly text: string }): unknown {
  return hash.startsWith(draftMark) ? flowIn(text) : JSON.parse(text)
}

/** The draft in a body, which is read as requests are: without keys that would reach for a prototype. */
function flowIn(body: string): unknown {
  return parse(body, { protoAction: 'remove', constructorAction: 'remove' }).flow
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

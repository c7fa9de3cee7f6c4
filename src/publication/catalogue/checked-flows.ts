import type { Flow } from '../../../schemas/flow.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { Program } from '../../engine/model/program.ts'
import type { DefinitionStore } from '../../stores/definition-store.ts'
import type { PublicationFacts, PublishedFlow } from '../../stores/published-flows.ts'

/** The part of a flow that is asked for before anybody uses the flow. */
export interface FlowHead {
  /** Of its definition. */
  readonly hash: string
  readonly id: string
  readonly name?: string | undefined
  readonly publicId?: string | undefined
  readonly updatedAt?: string | undefined
  readonly isClosed?: boolean | undefined
  readonly isArchived?: boolean | undefined
}

export const headOf = (flow: Flow, { hash }: Pick<Program, 'hash'>): FlowHead => {
  const { id, name, publicId, updatedAt, isClosed, isArchived } = flow
  return { hash, id, name, publicId, updatedAt, isClosed, isArchived }
}

/** A flow whose text was found to be good before. */
export interface CheckedFlow {
  readonly head: FlowHead
  /** Of its definition. */
  readonly text: string
}

/** Remembers which texts of files were found to be good, beside the definitions, so that a start need not parse them again. */
export class CheckedFlows {
  readonly #definitions: Pick<DefinitionStore, 'getAll'>
  readonly #build: string

  /** A build has names of its own: another may refuse the same text. */
  constructor(definitions: Pick<DefinitionStore, 'getAll'>, build: string) {
    this.#definitions = definitions
    this.#build = build
  }

  /** The name by which a definition store keeps the head of the flow of a text. */
  nameOf(hash: string): string {
    return `file-${contentHash(`${this.#build} ${hash}`)}`
  }

  /** Finds texts by their hashes; none where they can not be looked up. */
  async find(hashes: readonly string[]): Promise<ReadonlyMap<string, CheckedFlow>> {
    try {
      const heads = await this.#headsOf(hashes)
      const texts = await this.#definitions.getAll([...heads.values()].map((head) => head.hash))
      const found = new Map<string, CheckedFlow>()
      for (const [hash, head] of heads) {
        const text = texts.get(head.hash)
        if (text !== undefined) found.set(hash, { head, text })
      }
      return found
    } catch {
      return new Map()
    }
  }

  async #headsOf(hashes: readonly string[]): Promise<ReadonlyMap<string, FlowHead>> {
    const kept = await this.#definitions.getAll(hashes.map((hash) => this.nameOf(hash)))
    return new Map(
      hashes.flatMap((hash) => {
        const text = kept.get(this.nameOf(hash))
        return text === undefined ? [] : [[hash, JSON.parse(text) as FlowHead]]
      }),
    )
  }
}

/** A flow that is compiled once somebody asks for it. */
export function compiledLater(
  facts: PublicationFacts & Pick<PublishedFlow, 'file'>,
  compile: () => Pick<PublishedFlow, 'flow' | 'program'>,
): PublishedFlow {
  let compiled: ReturnType<typeof compile> | undefined
  // Holds the text until then.
  let pending: typeof compile | undefined = compile
  const now = () => {
    compiled ??= (pending as typeof compile)()
    pending = undefined
    return compiled
  }
  return {
    ...facts,
    get flow() {
      return now().flow
    },
    get program() {
      return now().program
    },
  }
}

/** The same flow with other facts, or the very same where it has them. */
export function withFacts<Of extends PublishedFlow | undefined>(
  flow: Of,
  facts: Partial<PublicationFacts> = {},
): Of {
  if (!flow || Object.entries(facts).every(([key, value]) => flow[key as keyof PublicationFacts] === value))
    return flow
  const parts = { ...Object.getOwnPropertyDescriptors(flow), ...Object.getOwnPropertyDescriptors(facts) }
  return Object.defineProperties({}, parts) as Of
}

import type { ReplyResult } from '../model/step.ts'

/** A part of a flow, as counts name it: by its id; in a linked flow, behind that of the flow and a line end. */
export type CountedName = string

/** Everything countable that a turn did, in order. There in conversations that own a result which is read. */
export class TurnTally {
  /** Blocks that ran. */
  readonly shown: CountedName[] = []
  readonly judged: { readonly block: CountedName; readonly outcome: ReplyResult['outcome'] }[] = []
  /** Edges that the walk went along. */
  readonly edges: CountedName[] = []
  /** Items that a reply or a decision took. */
  readonly items: { readonly block: CountedName; readonly item: string; readonly isDrawn: boolean }[] = []
  readonly #startedId: string

  constructor(startedId: string) {
    this.#startedId = startedId
  }

  /** The name of a part of the flow that is being walked. */
  nameOf(flowId: string, id: string): CountedName {
    return flowId === this.#startedId ? id : `${flowId}\n${id}`
  }
}

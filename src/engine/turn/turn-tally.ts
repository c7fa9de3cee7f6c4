import type { ReplyResult, TakenItem } from '../model/step.ts'

/** A part of a flow, as counts name it: by its id; in a linked flow, behind that of the flow and a line end. */
export type CountedName = string

/** Things that a walk does: a block ran, or took an answer or refused it; the walk went along an edge, or a block left by an item. */
type WalkedKind = 'shown' | 'answered' | 'refused' | 'edge' | 'item'

/** Everything countable that a turn did. There in conversations that own a result which is read. */
export class TurnTally {
  /** Kinds and names by turns, in order: a single list, so that a turn that is counted allocates hardly more than one that is not. */
  readonly happened: string[] = []
  readonly #judged: { readonly block: CountedName; readonly outcome: ReplyResult['outcome'] }[] = []
  /** Items that blocks were left by at random. */
  readonly drawn: { readonly block: CountedName; readonly item: string }[] = []
  readonly #startedId: string

  constructor(startedId: string) {
    this.#startedId = startedId
  }

  add(kind: WalkedKind, name: CountedName): void {
    this.happened.push(kind, name)
  }

  judge(block: CountedName, outcome: ReplyResult['outcome']): void {
    this.#judged.push({ block, outcome })
    if (outcome !== 'skipped') this.add(outcome === 'accepted' ? 'answered' : 'refused', block)
  }

  take(block: CountedName, { item, isDrawn }: TakenItem): void {
    this.add('item', `${block}\n${item}`)
    if (isDrawn) this.drawn.push({ block, item })
  }

  /** Of the first reply that a block took. */
  outcomeAt(name: CountedName): ReplyResult['outcome'] | undefined {
    return this.#judged.find(({ block }) => block === name)?.outcome
  }

  /** The name of a part of the flow that is being walked. */
  nameOf(flowId: string, id: string): CountedName {
    return flowId === this.#startedId ? id : `${flowId}\n${id}`
  }
}

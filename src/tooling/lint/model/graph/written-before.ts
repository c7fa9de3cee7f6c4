import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../flow-model.ts'
import type { PlacedBlock } from '../placed-block.ts'
import { componentsOf, isLoop } from './loops.ts'

/** Words of 32 variables that are kept for all blocks together. */
const mostWords = 2_000_000

/** Components that are looked at between two pauses. */
const slice = 200

/** Whether a write of a variable can have come before a block is met. */
type WrittenBefore = (placed: PlacedBlock, variableId: string) => boolean

/**
 * Follows the writes of many variables through the flow at once, a bit each. Undefined where there are too many
 * variables and blocks to do so. Pauses on the way.
 */
export function* followWrites(
  variableIds: readonly string[],
  { blocks, graph, uses }: Pick<FlowModel, 'blocks' | 'graph' | 'uses'>,
): Generator<void, WrittenBefore | undefined> {
  const words = Math.ceil(variableIds.length / 32)
  if (words * blocks.length > mostWords) return undefined
  // Topological order: a component comes before those that it leads to.
  const components = componentsOf(blocks, graph.next).reverse()
  yield
  const placeOf = new Map<CompiledBlock, number>()
  for (const [place, component] of components.entries())
    for (const block of component) placeOf.set(block, place)
  const marks = new Marks(components.length, words)
  for (const [bit, id] of variableIds.entries()) {
    for (const { placed } of uses.of(id).writes) {
      const place = placed && placeOf.get(placed.compiled)
      if (place !== undefined) marks.write(place, bit)
    }
  }
  for (const [place, component] of components.entries()) {
    if (place % slice === 0) yield
    // A variable that is written anywhere in a loop may be written before all of it.
    if (isLoop(component, graph.next)) marks.carry(place, place)
    for (const block of component) {
      for (const next of graph.next(block)) {
        const target = placeOf.get(next)
        if (target !== undefined && target !== place) marks.carry(place, target)
      }
    }
  }
  const bitOf = new Map(variableIds.map((id, bit) => [id, bit]))
  return ({ compiled }, variableId) => {
    const [place, bit] = [placeOf.get(compiled), bitOf.get(variableId)]
    return place === undefined || bit === undefined || marks.isBefore(place, bit)
  }
}

/** Variables that are written before and in each component. */
class Marks {
  readonly #words: number
  readonly #before: Uint32Array
  readonly #written: Uint32Array

  constructor(components: number, words: number) {
    this.#words = words
    this.#before = new Uint32Array(components * words)
    this.#written = new Uint32Array(components * words)
  }

  write(place: number, bit: number): void {
    const word = place * this.#words + (bit >>> 5)
    this.#written[word] = (this.#written[word] ?? 0) | (1 << (bit & 31))
  }

  /** Hands on what is written before and in one component to the next. */
  carry(from: number, to: number): void {
    for (let word = 0; word < this.#words; word++) {
      const [source, target] = [from * this.#words + word, to * this.#words + word]
      const known = (this.#before[source] ?? 0) | (this.#written[source] ?? 0)
      this.#before[target] = (this.#before[target] ?? 0) | known
    }
  }

  isBefore(place: number, bit: number): boolean {
    return ((this.#before[place * this.#words + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) !== 0
  }
}

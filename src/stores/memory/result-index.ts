/** A result among those of its flow. */
export interface Indexed {
  readonly id: string
  readonly flowId: string
  /** Grows with every result that is added, whatever its flow. */
  number: number
  isGone: boolean
}

/** The results of one flow; by rising numbers, where those that were taken out are holes until there are many. */
interface Flow<T> {
  readonly byId: Map<string, T>
  entries: T[]
}

/** Up to so many holes are left alone. */
const toleratedHoles = 32

/** The results of each flow, by id and in the order in which they were added: finding a place takes the logarithm of what there is. */
export class ResultIndex<T extends Indexed> {
  readonly #flows = new Map<string, Flow<T>>()
  #latest = 0

  find(flowId: string, id: string): T | undefined {
    return this.#flows.get(flowId)?.byId.get(id)
  }

  /** Whether any flow has one of this id: a look-up for each flow. */
  has(id: string): boolean {
    for (const { byId } of this.#flows.values()) if (byId.has(id)) return true
    return false
  }

  add(result: T): void {
    const flow = this.#flows.get(result.flowId) ?? { byId: new Map<string, T>(), entries: [] as T[] }
    this.#flows.set(result.flowId, flow)
    this.#latest += 1
    result.number = this.#latest
    flow.byId.set(result.id, result)
    flow.entries.push(result)
  }

  /** Takes one out; the others keep their numbers. */
  remove(result: T): void {
    const flow = this.#flows.get(result.flowId)
    if (!flow || result.isGone) return
    result.isGone = true
    flow.byId.delete(result.id)
    const holes = flow.entries.length - flow.byId.size
    if (flow.byId.size === 0) this.#flows.delete(result.flowId)
    else if (holes > toleratedHoles && holes * 2 > flow.entries.length)
      flow.entries = flow.entries.filter(({ isGone }) => !isGone)
  }

  /** The results of a flow that were added before the given number, the latest first. */
  *before(flowId: string, number: number): Iterable<T> {
    const entries = this.#flows.get(flowId)?.entries ?? []
    for (let place = placeOf(number, entries) - 1; place >= 0; place--) {
      const entry = entries[place]
      if (entry && !entry.isGone) yield entry
    }
  }
}

/** The place of the first entry whose number is not smaller. */
function placeOf(number: number, entries: readonly Indexed[]): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Indexed).number < number) low = middle + 1
    else high = middle
  }
  return low
}

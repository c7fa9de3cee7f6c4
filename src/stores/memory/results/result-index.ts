/** A result among those of its flow. */
export interface Indexed {
  readonly id: string
  readonly flowId: string
  /** Grows with every result that is added, whatever its flow. */
  number: number
}

interface Hole {
  readonly number: number
  readonly id?: undefined
}

/** The results of one flow; by rising numbers, where those that were taken out are holes until there are many. */
interface Flow<T> {
  readonly byId: Map<string, T>
  entries: (T | Hole)[]
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
    const flow = this.#flows.get(result.flowId) ?? { byId: new Map<string, T>(), entries: [] as (T | Hole)[] }
    this.#flows.set(result.flowId, flow)
    this.#latest += 1
    result.number = this.#latest
    flow.byId.set(result.id, result)
    flow.entries.push(result)
  }

  /** Takes one out; the others keep their numbers. */
  remove({ flowId, id, number }: T): void {
    const flow = this.#flows.get(flowId)
    if (!flow?.byId.delete(id)) return
    const { byId, entries } = flow
    entries[placeOf(number, entries)] = { number }
    const holes = entries.length - byId.size
    if (byId.size === 0) this.#flows.delete(flowId)
    else if (holes > toleratedHoles && holes * 2 > entries.length) flow.entries = [...byId.values()]
  }

  /** The results of a flow that were added before the given number, the latest first; or after it, the earliest first. */
  *beyond(flowId: string, number: number, order: 'latest' | 'earliest' = 'latest'): Iterable<T> {
    const entries = this.#flows.get(flowId)?.entries ?? []
    const step = order === 'latest' ? -1 : 1
    const start = order === 'latest' ? placeOf(number, entries) - 1 : placeOf(number + 1, entries)
    for (let place = start; place >= 0 && place < entries.length; place += step) {
      const entry = entries[place]
      if (entry?.id !== undefined) yield entry
    }
  }
}

/** The place of the first entry whose number is not smaller. */
function placeOf(number: number, entries: readonly { readonly number: number }[]): number {
  // Where all results are of one flow, the numbers of its entries leave none out.
  const likely = number - (entries[0]?.number ?? number)
  if (entries[likely]?.number === number) return likely
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as { readonly number: number }).number < number) low = middle + 1
    else high = middle
  }
  return low
}

/** A thing that is linked in orders, each by two of its properties: an object for each link would take several times as much. */
export interface Used<T> {
  /** Accounted where it stands. */
  bytes: number
  before: T | undefined
  after: T | undefined
  ownBefore: T | undefined
  ownAfter: T | undefined
  changedBefore: T | undefined
  changedAfter: T | undefined
}

/** The properties that link a thing in one order. */
export const byUse = { before: 'before', after: 'after' } as const
export const byOwnUse = { before: 'ownBefore', after: 'ownAfter' } as const
export const byChange = { before: 'changedBefore', after: 'changedAfter' } as const

type Links = typeof byUse | typeof byOwnUse | typeof byChange

/**
 * Things in the order of their last use, and the bytes of all of them, where those stay as they are meanwhile. Every call takes
 * constant time: they are linked, as a set that loses its first key again and again would take ever longer to find it.
 */
export class UseOrder<T extends Used<T>> {
  bytes = 0
  readonly #links: Links
  #first: T | undefined = undefined
  #last: T | undefined = undefined

  constructor(links: Links) {
    this.#links = links
  }

  get isEmpty(): boolean {
    return this.#first === undefined
  }

  /** Something that is not in the order was used. */
  add(used: T): void {
    this.#join(this.#last, used)
    this.#join(used, undefined)
    this.bytes += used.bytes
  }

  /** Harmless where it is not in the order. */
  remove(used: T): void {
    const node: Used<T> = used
    const { before, after } = this.#links
    const [earlier, later] = [node[before], node[after]]
    if (!earlier && this.#first !== used) return
    this.#join(earlier, later)
    node[before] = undefined
    node[after] = undefined
    this.bytes -= used.bytes
  }

  /** The one that was used longest ago; undefined when there is none. */
  oldest(): T | undefined {
    return this.#first
  }

  /** The one that was used longest ago, but for one; undefined when there is no other. */
  oldestBut(item: T): T | undefined {
    const first: Used<T> | undefined = this.#first
    return first === item ? first[this.#links.after] : this.#first
  }

  /** Makes two follow each other; without one, the other is an end. */
  #join(earlier: T | undefined, later: T | undefined): void {
    const [one, other]: readonly (Used<T> | undefined)[] = [earlier, later]
    if (one) one[this.#links.after] = later
    else this.#first = later
    if (other) other[this.#links.before] = earlier
    else this.#last = earlier
  }
}

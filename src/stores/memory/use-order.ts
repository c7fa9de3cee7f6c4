/** Something in orders of its last use, with its neighbours in two of them, and what it takes there. */
export interface Used<T> {
  readonly item: T
  bytes: number
  before: Used<T> | undefined
  after: Used<T> | undefined
  ownBefore: Used<T> | undefined
  ownAfter: Used<T> | undefined
}

const linksOf = {
  all: { before: 'before', after: 'after' },
  own: { before: 'ownBefore', after: 'ownAfter' },
} as const

/**
 * Things in the order of their last use, and the bytes of all of them. Every call takes constant time: they are linked, as
 * a set that loses its first key again and again would take ever longer to find it.
 */
export class UseOrder<T> {
  bytes = 0
  readonly #before: 'before' | 'ownBefore'
  readonly #after: 'after' | 'ownAfter'
  /** Stands behind the last and before the first. */
  readonly #end: Used<T>

  /** Which of its neighbours are those in this order. */
  constructor(links: keyof typeof linksOf = 'all') {
    const { before, after } = linksOf[links]
    this.#before = before
    this.#after = after
    this.#end = unlinked(undefined as T)
    this.#end[before] = this.#end
    this.#end[after] = this.#end
  }

  get isEmpty(): boolean {
    return this.#end[this.#after] === this.#end
  }

  /** Something that is in no order was used. */
  add(item: T): Used<T> {
    const used = unlinked(item)
    this.link(used)
    return used
  }

  /** The same, where the thing itself is what is linked. */
  link(used: Used<T>): void {
    const end = this.#end
    const last = end[this.#before] as Used<T>
    used[this.#before] = last
    used[this.#after] = end
    last[this.#after] = used
    end[this.#before] = used
    this.bytes += used.bytes
  }

  remove(used: Used<T>): void {
    const before = used[this.#before]
    const after = used[this.#after]
    if (!before || !after) return
    before[this.#after] = after
    after[this.#before] = before
    used[this.#before] = undefined
    used[this.#after] = undefined
    this.bytes -= used.bytes
  }

  /** The one that was used longest ago; undefined when there is none. */
  oldest(): T | undefined {
    const after = this.#end[this.#after] as Used<T>
    return after === this.#end ? undefined : after.item
  }

  /** The one that was used longest ago, but for one; undefined when there is no other. */
  oldestBut(item: T): T | undefined {
    const first = this.#end[this.#after] as Used<T>
    const oldest = first.item === item ? (first[this.#after] as Used<T>) : first
    return oldest === this.#end ? undefined : oldest.item
  }
}

function unlinked<T>(item: T): Used<T> {
  return { item, bytes: 0, before: undefined, after: undefined, ownBefore: undefined, ownAfter: undefined }
}

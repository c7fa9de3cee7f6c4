/** Something in the order of its last use, with what it takes there. */
export interface Used<T> {
  readonly item: T
  bytes: number
  before: Used<T> | undefined
  after: Used<T> | undefined
}

/**
 * Things in the order of their last use, and the bytes of all of them. Every call takes constant time: they are linked, as
 * a set that loses its first key again and again would take ever longer to find it.
 */
export class UseOrder<T> {
  bytes = 0
  /** Stands behind the last and before the first. */
  readonly #end = createEnd<T>()

  get isEmpty(): boolean {
    return this.#end.after === this.#end
  }

  /** Something that is not in the order was used. */
  add(item: T, bytes: number): Used<T> {
    const used = { item, bytes, before: undefined, after: undefined }
    this.link(used)
    return used
  }

  /** The same, where the thing itself is what is linked. */
  link(used: Used<T>): void {
    const end = this.#end
    const last = end.before as Used<T>
    used.before = last
    used.after = end
    last.after = used
    end.before = used
    this.bytes += used.bytes
  }

  remove(used: Used<T>): void {
    const { before, after, bytes } = used
    if (!before || !after) return
    before.after = after
    after.before = before
    used.before = undefined
    used.after = undefined
    this.bytes -= bytes
  }

  /** The one that was used longest ago; undefined when there is none. */
  oldest(): T | undefined {
    const after = this.#end.after as Used<T>
    return after === this.#end ? undefined : after.item
  }

  /** The one that was used longest ago, but for one; undefined when there is no other. */
  oldestBut(item: T): T | undefined {
    const first = this.#end.after as Used<T>
    const oldest = first.item === item ? (first.after as Used<T>) : first
    return oldest === this.#end ? undefined : oldest.item
  }
}

function createEnd<T>(): Used<T> {
  const end = { item: undefined as T, bytes: 0, before: undefined, after: undefined } as Used<T>
  end.before = end
  end.after = end
  return end
}

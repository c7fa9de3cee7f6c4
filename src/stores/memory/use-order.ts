/** Something in the order of its last use, with what it takes. */
export interface Used<T> {
  readonly item: T
  readonly bytes: number
  before: Used<T>
  after: Used<T>
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
    const end = this.#end
    const used = { item, bytes, before: end.before, after: end }
    end.before.after = used
    end.before = used
    this.bytes += bytes
    return used
  }

  remove({ bytes, before, after }: Used<T>): void {
    before.after = after
    after.before = before
    this.bytes -= bytes
  }

  /** The one that was used longest ago; undefined when there is none. */
  oldest(): T | undefined {
    const { after } = this.#end
    return after === this.#end ? undefined : after.item
  }

  /** The one that was used longest ago, but for one; undefined when there is no other. */
  oldestBut(item: T): T | undefined {
    const { after } = this.#end
    const oldest = after.item === item ? after.after : after
    return oldest === this.#end ? undefined : oldest.item
  }
}

function createEnd<T>(): Used<T> {
  const end = { item: undefined, bytes: 0 } as Used<T | undefined> as Used<T>
  end.before = end
  end.after = end
  return end
}

/** A key in the order of its last use, with what it takes. */
export interface UsedKey {
  readonly key: string
  readonly bytes: number
  before: UsedKey
  after: UsedKey
}

/**
 * Keys in the order of their last use, and the bytes of all of them. Every call takes constant time: they are linked, as
 * a set that loses its first key again and again would take ever longer to find it.
 */
export class UseOrder {
  bytes = 0
  /** Stands behind the last and before the first. */
  readonly #end = createEnd()

  get isEmpty(): boolean {
    return this.#end.after === this.#end
  }

  /** A key that is not in the order was used. */
  add(key: string, bytes: number): UsedKey {
    const end = this.#end
    const used = { key, bytes, before: end.before, after: end }
    end.before.after = used
    end.before = used
    this.bytes += bytes
    return used
  }

  remove({ bytes, before, after }: UsedKey): void {
    before.after = after
    after.before = before
    this.bytes -= bytes
  }

  /** The key that was used longest ago, but for one; undefined when there is no other. */
  oldestBut(key: string): string | undefined {
    const end = this.#end
    const oldest = end.after !== end && end.after.key === key ? end.after.after : end.after
    return oldest === end ? undefined : oldest.key
  }
}

function createEnd(): UsedKey {
  const end = { key: '', bytes: 0 } as UsedKey
  end.before = end
  end.after = end
  return end
}

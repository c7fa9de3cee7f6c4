import { byOwnUse, byUse, type Used, UseOrder } from './use-order.ts'

/** A result among others that want its room, linked among all that are answered, or all that are not, and the answered ones of its address. */
export interface Ranked<T> extends Used<T> {
  /** Of who started it; results without one are those of one address. */
  readonly address: string
  /** Changed by the order alone. */
  isAnswered: boolean
  /** As it is accounted now. */
  readonly size: number
}

/** The part of the room that unanswered results keep, and that an address may have before it makes room for itself. */
const share = 1 / 8

/**
 * The results in the order in which they make room for others. Starting costs nothing, and neither does answering at random:
 * results without an answer go first, down to an eighth of the room; then those of the address that writes, if it has more
 * than an eighth; then whatever was used longest ago.
 */
export class ResultOrder<T extends Ranked<T>> {
  readonly #maxBytes: number
  readonly #unanswered = new UseOrder<T>(byUse)
  readonly #answered = new UseOrder<T>(byUse)
  readonly #addresses = new Map<string, UseOrder<T>>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** A result was written or read; it is answered from then on, where that is said. */
  use(result: T, isAnswered = result.isAnswered): void {
    this.remove(result)
    const { size, address } = result
    result.bytes = size
    result.isAnswered = isAnswered
    ;(isAnswered ? this.#answered : this.#unanswered).add(result)
    if (!isAnswered) return
    const others = this.#addresses.get(address) ?? new UseOrder(byOwnUse)
    this.#addresses.set(address, others)
    others.add(result)
  }

  remove(result: T): void {
    const { isAnswered, address } = result
    ;(isAnswered ? this.#answered : this.#unanswered).remove(result)
    const others = isAnswered ? this.#addresses.get(address) : undefined
    others?.remove(result)
    if (others?.isEmpty) this.#addresses.delete(address)
  }

  /** The one that makes room for what an address has written last; undefined where there is no other. */
  next(written: T): T | undefined {
    for (const order of [this.#unanswered, this.#addresses.get(written.address)]) {
      const next = order && order.bytes > share * this.#maxBytes ? order.oldestBut(written) : undefined
      if (next !== undefined) return next
    }
    return this.#answered.oldestBut(written) ?? this.#unanswered.oldestBut(written)
  }
}

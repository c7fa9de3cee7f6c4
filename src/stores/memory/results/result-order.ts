import { type Used, UseOrder } from './use-order.ts'

/** A result among others that want its room, linked among all that are answered, or all that are not. */
export interface Ranked<T> extends Used<T> {
  /** Of who started it; results without one are those of one address. */
  readonly address: string
  readonly isAnswered: boolean
  /** As it is accounted now. */
  readonly size: number
  /** Its place among the answered ones of its address. */
  own: Used<T> | undefined
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
  readonly #unanswered = new UseOrder<T>()
  readonly #answered = new UseOrder<T>()
  readonly #addresses = new Map<string, UseOrder<T>>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** A result was written or read. */
  use(result: T): void {
    this.remove(result)
    const { isAnswered, size, address } = result
    result.bytes = size
    ;(isAnswered ? this.#answered : this.#unanswered).link(result)
    if (!isAnswered) return
    const others = this.#addresses.get(address) ?? new UseOrder()
    this.#addresses.set(address, others)
    result.own = others.add(result, size)
  }

  remove(result: T): void {
    const { own, address } = result
    result.own = undefined
    ;(own ? this.#answered : this.#unanswered).remove(result)
    const others = own && this.#addresses.get(address)
    if (own) others?.remove(own)
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

import { type UsedKey, UseOrder } from './use-order.ts'

/** What a result counts as. */
export interface Rank {
  /** Of who started it; results without one are those of one address. */
  readonly address: string
  readonly isAnswered: boolean
  readonly bytes: number
}

/** Results in the order in which they make room for others. */
export interface ResultOrder {
  /** A result was written or read. */
  use(key: string, rank: Rank): void
  remove(key: string): void
  /** The one that makes room for what an address has written last; undefined where there is no other. */
  next(written: string): string | undefined
}

/** What results that nobody answered keep, and what an address may have before it makes room for itself. */
const share = 1 / 8

interface Ranked {
  readonly address: string
  /** Among all that are answered, or all that are not. */
  readonly used: UsedKey
  /** Among those of its address; absent without an answer. */
  readonly own: UsedKey | undefined
}

/**
 * Starting costs nothing, and neither does answering at random: results without an answer go first, down to an eighth of
 * the room; then those of the address that writes, if it has more than an eighth; then whatever was used longest ago.
 */
export function createResultOrder(maxBytes: number): ResultOrder {
  const ranks = new Map<string, Ranked>()
  const [unanswered, answered] = [new UseOrder(), new UseOrder()]
  const addresses = new Map<string, UseOrder>()

  function remove(key: string): void {
    const { address, used, own } = ranks.get(key) ?? {}
    if (address === undefined || !used) return
    ranks.delete(key)
    const group = own ? answered : unanswered
    group.remove(used)
    const others = own && addresses.get(address)
    if (own) others?.remove(own)
    if (others?.isEmpty) addresses.delete(address)
  }

  function ownOf(address: string): UseOrder {
    const own = addresses.get(address) ?? new UseOrder()
    addresses.set(address, own)
    return own
  }

  return {
    remove,
    use(key, { address, isAnswered, bytes }) {
      remove(key)
      const used = (isAnswered ? answered : unanswered).add(key, bytes)
      ranks.set(key, { address, used, own: isAnswered ? ownOf(address).add(key, bytes) : undefined })
    },
    next(written) {
      const own = addresses.get(ranks.get(written)?.address ?? '')
      for (const order of [unanswered, own]) {
        const key = order && order.bytes > share * maxBytes ? order.oldestBut(written) : undefined
        if (key !== undefined) return key
      }
      return answered.oldestBut(written) ?? unanswered.oldestBut(written)
    },
  }
}

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

interface Group {
  readonly keys: Set<string>
  bytes: number
}

const createGroup = (): Group => ({ keys: new Set(), bytes: 0 })

/**
 * Starting costs nothing, and neither does answering at random: results without an answer go first, down to an eighth of
 * the room; then those of the address that writes, if it has more than an eighth; then whatever was used longest ago.
 */
export function createResultOrder(maxBytes: number): ResultOrder {
  const ranks = new Map<string, Rank>()
  const [unanswered, answered] = [createGroup(), createGroup()]
  const addresses = new Map<string, Group>()

  const groupsOf = ({ address, isAnswered }: Rank): readonly Group[] => {
    if (!isAnswered) return [unanswered]
    const own = addresses.get(address) ?? createGroup()
    addresses.set(address, own)
    return [answered, own]
  }

  function remove(key: string): void {
    const rank = ranks.get(key)
    if (!rank) return
    ranks.delete(key)
    for (const group of groupsOf(rank)) {
      group.keys.delete(key)
      group.bytes -= rank.bytes
    }
    if (addresses.get(rank.address)?.keys.size === 0) addresses.delete(rank.address)
  }

  return {
    remove,
    use(key, rank) {
      remove(key)
      ranks.set(key, rank)
      for (const group of groupsOf(rank)) {
        group.keys.add(key)
        group.bytes += rank.bytes
      }
    },
    next(written) {
      const own = addresses.get(ranks.get(written)?.address ?? '')
      const large = [unanswered, own].filter((group) => group && group.bytes > share * maxBytes) as Group[]
      for (const { keys } of [...large, answered, unanswered])
        for (const key of keys) if (key !== written) return key
      return undefined
    },
  }
}

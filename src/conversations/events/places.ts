/** Share of one address in all places: half a hundred visitors behind one network, and no more. */
const shareOfAddress = 1 / 20

/** As many as a person with a few tabs needs, however few places there are. */
const leastOfAddress = 20

/** Places of those who wait for something to happen. */
export interface Places {
  /** Takes one for an address, and returns what gives it back; undefined when the address has its share, or all are taken. */
  take(address: string): (() => void) | undefined
  readonly taken: number
}

/** Bounds what waits in all, and by address (docs/api.md, "Limits"). */
export function createPlaces(max: number): Places {
  const mostOfAddress = Math.max(leastOfAddress, Math.floor(max * shareOfAddress))
  const counts = new Map<string, number>()
  let taken = 0
  return {
    take(address) {
      const count = counts.get(address) ?? 0
      if (taken >= max || count >= mostOfAddress) return undefined
      counts.set(address, count + 1)
      taken += 1
      return () => {
        const left = (counts.get(address) ?? 1) - 1
        if (left === 0) counts.delete(address)
        else counts.set(address, left)
        taken -= 1
      }
    },
    get taken() {
      return taken
    },
  }
}

/** Share of one address in all places: half a hundred visitors behind one network, and no more. */
const shareOfAddress = 1 / 20

/** As many as a person with a few tabs needs, however few places there are. */
const leastOfAddress = 20

export type Places = ReturnType<typeof createPlaces>

/** Bounds what waits for something to happen, in all and by address (docs/api.md, "Limits"). */
export function createPlaces(max: number) {
  const mostOfAddress = Math.max(leastOfAddress, Math.floor(max * shareOfAddress))
  const counts = createCounts()
  let taken = 0
  return {
    /** Takes one for an address, and returns what gives it back; undefined when the address has its share, or all are taken. */
    take(address: string): (() => void) | undefined {
      if (taken >= max || counts.of(address) >= mostOfAddress) return undefined
      counts.add(address, 1)
      taken += 1
      return () => {
        counts.add(address, -1)
        taken -= 1
      }
    },
    get taken() {
      return taken
    },
  }
}

/** Counts by name; a name that counts nothing takes no memory. */
export function createCounts() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    add(name: string, more: number): void {
      const count = of(name) + more
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

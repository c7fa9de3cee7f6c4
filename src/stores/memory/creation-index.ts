/** Something in the order in which it was added, among those of its kind. */
export interface Placed {
  readonly key: string
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Grows with every entry that is added, whatever its flow. */
  readonly number: number
}

/** The keys of each flow in the order in which they were added. */
export interface CreationIndex {
  add(entry: Omit<Placed, 'number'>): Placed
  /** Takes an entry out; the others keep their numbers. */
  remove(entry: Placed): void
  /** The entries of a flow that were added before the given number, the latest first. */
  before(flowId: string, number: number): Iterable<Placed>
  /** The flows that have any. */
  flows(): Iterable<string>
}

/** The entries of one flow, by rising numbers. Those that were taken out are holes until there are many. */
interface Row {
  entries: (Placed & { isGone: boolean })[]
  holes: number
}

/** Up to so many holes are left alone. */
const toleratedHoles = 32

/** Adding and removing take constant time on average, finding a place takes the logarithm of what a flow has. */
export function createCreationIndex(): CreationIndex {
  const rows = new Map<string, Row>()
  let latest = 0
  return {
    flows: () => rows.keys(),
    add({ flowId, key, createdAt }) {
      const row = rows.get(flowId) ?? { entries: [], holes: 0 }
      rows.set(flowId, row)
      latest += 1
      const entry = { key, flowId, createdAt, number: latest, isGone: false }
      row.entries.push(entry)
      return entry
    },
    remove({ flowId, number }) {
      const row = rows.get(flowId)
      const entry = row?.entries[placeOf(number, row.entries)]
      if (!row || entry?.number !== number || entry.isGone) return
      entry.isGone = true
      row.holes += 1
      if (row.holes === row.entries.length) rows.delete(flowId)
      else if (row.holes > toleratedHoles && row.holes * 2 > row.entries.length) closeHoles(row)
    },
    *before(flowId, number) {
      const entries = rows.get(flowId)?.entries ?? []
      for (let place = placeOf(number, entries) - 1; place >= 0; place--) {
        const entry = entries[place]
        if (entry && !entry.isGone) yield entry
      }
    },
  }
}

function closeHoles(row: Row): void {
  row.entries = row.entries.filter(({ isGone }) => !isGone)
  row.holes = 0
}

/** The place of the first entry whose number is not smaller. */
function placeOf(number: number, entries: readonly Placed[]): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Placed).number < number) low = middle + 1
    else high = middle
  }
  return low
}

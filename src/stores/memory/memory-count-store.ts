import type { CountRow, CountStore, VersionPlaces } from '../counts/count-store.ts'
import { type Count, type CountKind, countedHour, daysBefore, type TurnFacts } from '../counts/turn-facts.ts'
import { bytesOfText } from '../in-process/flat-text.ts'
import type { StoreUsage } from '../store-usage.ts'

interface MemoryCountStoreOptions {
  /** Accounted bytes of all counts: those of the earliest hours make room. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

type Row = { -readonly [Key in keyof Count]: Count[Key] }

/** Bytes of a count beside its name, and of a version beside its places. */
const countBytes = 300

/** Part of the counts that goes where there is no room: to find the earliest costs a look at all. */
const droppedPart = 1 / 8

const bytesOf = ({ flowId, version, name }: Count) =>
  countBytes + 2 * bytesOfText(name) + bytesOfText(flowId) + bytesOfText(version)

/** Counts of this process. A turn is counted as it is kept: there is nothing to write. */
export class MemoryCountStore implements CountStore {
  readonly #options: MemoryCountStoreOptions
  readonly #rows = new Map<string, Row>()
  readonly #places = new Map<string, Map<string, VersionPlaces>>()
  #bytes = 0
  #evicted = 0
  #joinedBefore = 0

  constructor(options: MemoryCountStoreOptions) {
    this.#options = options
  }

  readonly apply = ({ flowId, version, hour, happened, before = [] }: TurnFacts): void => {
    this.#joinHours()
    for (const [kind, names] of Object.entries(happened) as [CountKind, readonly string[]][])
      for (const name of names) this.#add({ flowId, version, hour, kind, name, count: 1 })
    for (const [hour, kind, name, count, other = version] of before)
      this.#add({ flowId, version: other, hour, kind, name, count })
    if (this.#bytes > this.#options.maxBytes) this.#makeRoom()
  }

  readonly describe: CountStore['describe'] = async (flowId, described) => {
    const versions = this.#places.get(flowId) ?? new Map<string, VersionPlaces>()
    this.#places.set(flowId, versions.set(described.version, described))
  }

  readonly fold: CountStore['fold'] = async () => {
    this.#joinHours()
    return false
  }

  readonly pendingSince: CountStore['pendingSince'] = async () => undefined

  readonly sum: CountStore['sum'] = async ({ settled, ...request }) => {
    const sums = new Map<
      string,
      { version: string; kind: Count['kind']; name: string; count: number; settled: number }
    >()
    for (const { version, kind, name, hour, count } of this.#find(request)) {
      const key = JSON.stringify([version, kind, name])
      const sum = sums.get(key) ?? { version, kind, name, count: 0, settled: 0 }
      sum.count += count
      if (hour < settled) sum.settled += count
      sums.set(key, sum)
    }
    return [...sums.values()]
  }

  readonly page: CountStore['page'] = async ({ after, limit, ...request }) => {
    const rows = this.#find(request).map(({ flowId: _, ...row }) => row)
    const start = after && orderOf(after)
    return rows
      .map((row) => ({ row, order: orderOf(row) }))
      .filter(({ order }) => start === undefined || order > start)
      .sort((one, other) => (one.order < other.order ? -1 : 1))
      .slice(0, limit)
      .map(({ row }) => row)
  }

  readonly places: CountStore['places'] = async (flowId) => [...(this.#places.get(flowId)?.values() ?? [])]

  readonly usage = (): StoreUsage => ({
    entries: this.#rows.size,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  /** Joins hours to days, once a day. */
  #joinHours(): void {
    const boundary = daysBefore(this.#options.now())
    if (boundary === this.#joinedBefore) return
    this.#joinedBefore = boundary
    for (const [key, row] of this.#rows) {
      if (row.hour >= boundary || row.hour % 24 === 0) continue
      this.#delete(key, row)
      this.#add({ ...row, hour: row.hour - (row.hour % 24) })
    }
  }

  #find({
    flowId,
    version,
    from,
    until,
  }: {
    flowId: string
    version?: string | undefined
    from: number
    until: number
  }) {
    return [...this.#rows.values()].filter(
      (row) =>
        row.flowId === flowId &&
        row.hour >= from &&
        row.hour < until &&
        (version === undefined || row.version === version),
    )
  }

  #add(count: Count): void {
    const hour = countedHour(count.hour, this.#joinedBefore)
    const { flowId, version, kind, name } = count
    // Looked up with everything that a turn counts. The length tells where the id ends.
    const key = `${hour}\n${version}\n${kind}\n${flowId.length}\n${flowId}${name}`
    const row = this.#rows.get(key)
    if (!row) {
      this.#rows.set(key, { ...count, hour })
      this.#bytes += bytesOf(count)
      return
    }
    row.count += count.count
    if (row.count === 0) this.#delete(key, row)
  }

  #delete(key: string, row: Row): void {
    this.#rows.delete(key)
    this.#bytes -= bytesOf(row)
  }

  #makeRoom(): void {
    const earliest = [...this.#rows].sort(([, one], [, other]) => one.hour - other.hour)
    const goal = this.#options.maxBytes * (1 - droppedPart)
    for (const [key, row] of earliest) {
      if (this.#bytes <= goal) break
      this.#delete(key, row)
      this.#evicted += 1
    }
    const versions = new Set([...this.#rows.values()].map(({ version }) => version))
    for (const described of this.#places.values())
      for (const version of described.keys()) if (!versions.has(version)) described.delete(version)
  }
}

/** Compares as the columns do. */
const orderOf = ({ hour, version, kind, name }: Omit<CountRow, 'count'>) =>
  [String(hour).padStart(8, '0'), version, kind, name].join('\0')

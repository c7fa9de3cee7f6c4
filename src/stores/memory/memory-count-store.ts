import type { CountRequest, CountRow, CountStore, VersionPlaces } from '../counts/count-store.ts'
import {
  type Count,
  type CountKind,
  countedHour,
  daysBefore,
  eachOf,
  type TurnFacts,
} from '../counts/turn-facts.ts'
import { bytesOfText } from '../in-process/flat-text.ts'
import type { StoreUsage } from '../store-usage.ts'

interface MemoryCountStoreOptions {
  /** Accounted bytes of all counts: those of the earliest hours make room. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Counts of a version within an hour, by kind and name. */
interface CountedHour extends Pick<Count, 'flowId' | 'version' | 'hour'> {
  readonly kinds: Map<CountKind, Map<string, Counter>>
}

/** Most names are counted already: one look-up finds what is to grow. */
interface Counter {
  count: number
}

/** Bytes of a count beside its name, and of a version beside its places. */
const countBytes = 300

/** Part of the counts that goes where there is no room: to find the earliest costs a look at all. */
const droppedPart = 1 / 8

/** Turns that are counted at once, between others: so the code and the memory that it takes stay out of their way. */
const countedAtOnce = 50

const bytesOf = ({ flowId, version }: CountedHour, name: string) =>
  countBytes + 2 * bytesOfText(name) + bytesOfText(flowId) + bytesOfText(version)

/** Counts of this process. Turns leave their facts; a batch of them is counted once the answers are out, or when somebody reads. */
export class MemoryCountStore implements CountStore {
  readonly #options: MemoryCountStoreOptions
  readonly #hours = new Map<string, CountedHour>()
  readonly #places = new Map<string, Map<string, VersionPlaces>>()
  #pending: TurnFacts[] = []
  #entries = 0
  #bytes = 0
  #evicted = 0
  #joinedBefore = 0
  /** Most facts are of the hour of the one before: to find it anew costs as much as to count. Within a batch, as hours go between them. */
  #lastHour: CountedHour | undefined

  constructor(options: MemoryCountStoreOptions) {
    this.#options = options
  }

  readonly apply = (facts: TurnFacts): void => {
    this.#pending.push(facts)
    if (this.#pending.length === countedAtOnce) setImmediate(() => this.#countPending())
  }

  readonly describe: CountStore['describe'] = async (flowId, described) => {
    const versions = this.#places.get(flowId) ?? new Map<string, VersionPlaces>()
    this.#places.set(flowId, versions.set(described.version, described))
  }

  readonly fold: CountStore['fold'] = async () => {
    this.#countPending()
    return false
  }

  readonly pendingSince: CountStore['pendingSince'] = async () => {
    const hours = this.#pending.map(({ hour }) => hour)
    return hours.length > 0 ? Math.min(...hours) : undefined
  }

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
    const rows = [...this.#find(request)].map(({ flowId: _, ...row }) => row)
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
    entries: this.#entries,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  #countPending(): void {
    const facts = this.#pending
    this.#pending = []
    this.#lastHour = undefined
    this.#joinHours()
    for (const { flowId, version, hour, happened, before = [] } of facts) {
      const counted = this.#hourOf({ flowId, version, hour })
      eachOf(happened, (kind, name) => this.#add(counted, kind, [name, 1]))
      for (const [hour, kind, name, count, other = version] of before)
        this.#add(this.#hourOf({ flowId, version: other, hour }), kind, [name, count])
    }
    if (this.#bytes > this.#options.maxBytes) this.#makeRoom()
  }

  /** Joins hours to days, once a day. */
  #joinHours(): void {
    const boundary = daysBefore(this.#options.now())
    if (boundary === this.#joinedBefore) return
    this.#joinedBefore = boundary
    for (const [key, counted] of this.#hours) {
      if (counted.hour >= boundary || counted.hour % 24 === 0) continue
      this.#hours.delete(key)
      const day = this.#hourOf(counted)
      for (const { kind, name, count } of countsOf(counted)) {
        this.#account(counted, name, -1)
        this.#add(day, kind, [name, count])
      }
    }
  }

  *#find({
    flowId,
    version,
    from,
    until,
  }: Pick<CountRequest, 'flowId' | 'version' | 'from' | 'until'>): Generator<Count> {
    for (const counted of this.#hours.values()) {
      if (counted.flowId !== flowId || counted.hour < from || counted.hour >= until) continue
      if (version === undefined || counted.version === version) yield* countsOf(counted)
    }
  }

  #hourOf({ flowId, version, hour: exact }: Omit<CountedHour, 'kinds'>): CountedHour {
    const hour = countedHour(exact, this.#joinedBefore)
    const last = this.#lastHour
    if (last?.hour === hour && last.version === version && last.flowId === flowId) return last
    const key = `${hour}\n${version}\n${flowId}`
    const counted = this.#hours.get(key) ?? { flowId, version, hour, kinds: new Map() }
    if (counted.kinds.size === 0) this.#hours.set(key, counted)
    this.#lastHour = counted
    return counted
  }

  #add(counted: CountedHour, kind: CountKind, [name, added]: readonly [name: string, count: number]): void {
    const names = counted.kinds.get(kind) ?? new Map<string, Counter>()
    if (names.size === 0) counted.kinds.set(kind, names)
    const before = names.get(name)
    if (before) {
      before.count += added
      if (before.count !== 0) return
      names.delete(name)
    } else names.set(name, { count: added })
    this.#account(counted, name, before ? -1 : 1)
  }

  #account(counted: CountedHour, name: string, entries: number): void {
    this.#entries += entries
    this.#bytes += entries * bytesOf(counted, name)
  }

  #makeRoom(): void {
    const goal = this.#options.maxBytes * (1 - droppedPart)
    for (const [key, counted] of [...this.#hours].sort(([, one], [, other]) => one.hour - other.hour)) {
      for (const { kind, name } of countsOf(counted)) {
        if (this.#bytes <= goal) break
        counted.kinds.get(kind)?.delete(name)
        this.#account(counted, name, -1)
        this.#evicted += 1
      }
      if (this.#bytes <= goal) break
      this.#hours.delete(key)
    }
    const versions = new Set([...this.#hours.values()].map(({ version }) => version))
    for (const described of this.#places.values())
      for (const version of described.keys()) if (!versions.has(version)) described.delete(version)
  }
}

function* countsOf({ kinds, ...hour }: CountedHour): Generator<Count> {
  for (const [kind, names] of kinds)
    for (const [name, { count }] of names) yield { ...hour, kind, name, count }
}

/** Compares as the columns do. */
const orderOf = ({ hour, version, kind, name }: Omit<CountRow, 'count'>) =>
  [String(hour).padStart(8, '0'), version, kind, name].join('\0')

import type {
  ClaimedEvent,
  Delivery,
  OutboxBounds,
  OutboxStore,
  OutgoingEvent,
} from '../outgoing/outbox-store.ts'
import type { StoreUsage } from '../store-usage.ts'

interface MemoryOutboxOptions extends OutboxBounds {
  /** Beyond it the oldest events go, sent or not. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

type Row = OutgoingEvent & { -readonly [Key in keyof Delivery]: Delivery[Key] } & { body: string }

/** Bytes of an event beside its body. */
const eventBytes = 600

/** Events of this process, which end with it. */
export class MemoryOutbox implements OutboxStore {
  readonly #options: MemoryOutboxOptions
  readonly #rows = new Map<number, Row>()
  /** Waiting events by destination and line, in order. */
  readonly #waiting = new Map<string, Map<string, Row[]>>()
  #lastNumber = 0
  #bytes = 0
  #evicted = 0

  constructor(options: MemoryOutboxOptions) {
    this.#options = options
  }

  put(events: readonly OutgoingEvent[]): void {
    const now = this.#options.now()
    for (const event of events) {
      this.#lastNumber += 1
      const fresh = { state: 'waiting', attempts: 0, settledAt: null, error: null } as const
      const row: Row = { ...event, ...fresh, number: this.#lastNumber, createdAt: now, dueAt: now }
      this.#rows.set(row.number, row)
      this.#bytes += sizeOf(row)
      this.#lineOf(row).push(row)
    }
    this.#makeRoom(now)
  }

  async claim(
    wanted: Parameters<OutboxStore['claim']>[0],
    leaseMs: number,
  ): Promise<readonly ClaimedEvent[]> {
    const now = this.#options.now()
    return wanted.flatMap(({ destination, limit }) => {
      const heads = [...(this.#waiting.get(destination)?.values() ?? [])].flatMap(([head]) => head ?? [])
      const due = heads.filter(({ dueAt }) => Number(dueAt) <= now)
      due.sort((one, other) => Number(one.dueAt) - Number(other.dueAt) || one.number - other.number)
      return due.slice(0, limit).map((row) => {
        row.attempts += 1
        row.dueAt = now + leaseMs
        return { ...row }
      })
    })
  }

  async settle(
    { number, attempts }: Pick<ClaimedEvent, 'number' | 'attempts'>,
    outcome: Parameters<OutboxStore['settle']>[1],
  ): Promise<void> {
    const row = this.#rows.get(number)
    if (row?.state !== 'waiting' || row.attempts !== attempts) return
    const now = this.#options.now()
    row.error = 'error' in outcome ? outcome.error : null
    if (outcome.state === 'waiting') {
      row.dueAt = now + outcome.pauseMs
      return
    }
    this.#leaveLine(row)
    Object.assign(row, { state: outcome.state, dueAt: null, settledAt: now })
    if (outcome.state === 'set aside') return
    this.#bytes -= sizeOf(row)
    row.body = ''
    this.#bytes += sizeOf(row)
  }

  async list(
    destination: string,
    { limit, before = Infinity, state }: Parameters<OutboxStore['list']>[1],
  ): Promise<readonly Delivery[]> {
    const found = [...this.#rows.values()].filter(
      (row) => row.destination === destination && row.number < before && (state ?? row.state) === row.state,
    )
    return found.reverse().slice(0, limit).map(deliveryOf)
  }

  async retry(...[destination, which]: Parameters<OutboxStore['retry']>): Promise<number> {
    const now = this.#options.now()
    const found = [...this.#rows.values()].filter(
      ({ destination: other, state, number }) =>
        other === destination && state !== 'delivered' && [undefined, number, state].includes(which),
    )
    const disordered = new Set<Row[]>()
    for (const row of found) {
      if (row.state === 'set aside') {
        this.#lineOf(row).push(row)
        disordered.add(this.#lineOf(row))
      }
      Object.assign(row, { state: 'waiting', attempts: 0, dueAt: now, settledAt: null })
    }
    for (const rows of disordered) rows.sort((one, other) => one.number - other.number)
    return found.length
  }

  erase(lines: ReadonlySet<string>): void {
    for (const row of this.#rows.values()) if (lines.has(row.line)) this.#delete(row)
  }

  drop(destination: string): void {
    for (const row of this.#rows.values()) if (row.destination === destination) this.#delete(row)
  }

  readonly usage = (): StoreUsage => ({
    entries: this.#rows.size,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  #lineOf({ destination, line }: OutgoingEvent): Row[] {
    const lines = this.#waiting.get(destination) ?? new Map<string, Row[]>()
    const rows = lines.get(line) ?? []
    this.#waiting.set(destination, lines.set(line, rows))
    return rows
  }

  #leaveLine(row: Row): void {
    const rows = this.#lineOf(row)
    const index = rows.indexOf(row)
    if (index !== -1) rows.splice(index, 1)
    if (rows.length === 0) this.#waiting.get(row.destination)?.delete(row.line)
  }

  #delete(row: Row): void {
    this.#leaveLine(row)
    this.#rows.delete(row.number)
    this.#bytes -= sizeOf(row)
  }

  #makeRoom(now: number): void {
    const { maxBytes, maxEvents, deliveredMs, setAsideMs } = this.#options
    for (const row of this.#rows.values()) {
      const isFull = this.#bytes > maxBytes || this.#rows.size > maxEvents
      const keptMs = row.state === 'delivered' ? deliveredMs : setAsideMs
      if (!isFull && (row.settledAt ?? now) + keptMs >= now) return
      if (isFull) this.#evicted += 1
      this.#delete(row)
    }
  }
}

const sizeOf = ({ body }: Row) => eventBytes + 2 * body.length

function deliveryOf({ destination: _, line: __, body: ___, ...delivery }: Row): Delivery {
  return { ...delivery }
}

import {
  type ClaimedEvent,
  type Delivery,
  type EventQueue,
  mostCounted,
  type OutgoingEvent,
} from '../outgoing/outbox-store.ts'
import type { StoreUsage } from '../store-usage.ts'

/** An event; without its body, that is empty. */
export type QueuedRow = OutgoingEvent & { -readonly [Key in keyof Delivery]: Delivery[Key] } & {
  body: string
  /** By which it is found. */
  name?: string | undefined
}

/** Bytes of an event beside its body. */
const eventBytes = 600

/** Events of this process, in lines, which end with it. */
export class MemoryQueue implements EventQueue {
  /** Milliseconds since 1970. */
  readonly #now: () => number
  readonly #rows = new Map<number, QueuedRow>()
  readonly #named = new Map<string, QueuedRow>()
  /** Waiting events by destination and line, in order. */
  readonly #waiting = new Map<string, Map<string, QueuedRow[]>>()
  #lastNumber = 0
  #bytes = 0
  #evicted = 0
  #waitingCount = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get size(): number {
    return this.#rows.size
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** Those that wait in the line of an event. */
  waitingWith({ destination, line }: OutgoingEvent): number {
    return this.#waiting.get(destination)?.get(line)?.length ?? 0
  }

  get bytes(): number {
    return this.#bytes
  }

  /** From the first that was put. */
  rows(): Iterable<QueuedRow> {
    return this.#rows.values()
  }

  get(number: number): QueuedRow | undefined {
    return this.#rows.get(number)
  }

  find(name: string): QueuedRow | undefined {
    return this.#named.get(name)
  }

  name(row: QueuedRow, name: string): void {
    row.name = name
    this.#named.set(name, row)
  }

  add(event: OutgoingEvent): QueuedRow {
    const now = this.#now()
    this.#lastNumber += 1
    const fresh = { state: 'waiting', attempts: 0, settledAt: null, error: null, status: null } as const
    const row: QueuedRow = { ...event, ...fresh, number: this.#lastNumber, createdAt: now, dueAt: now }
    this.#rows.set(row.number, row)
    this.#bytes += bytesOf(row)
    this.#lineOf(row).push(row)
    this.#waitingCount += 1
    return row
  }

  async claim(...[wanted, leaseMs]: Parameters<EventQueue['claim']>): Promise<readonly ClaimedEvent[]> {
    const now = this.#now()
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

  async settle(...[{ number, attempts }, outcome]: Parameters<EventQueue['settle']>): Promise<void> {
    const row = this.#rows.get(number)
    if (row?.state !== 'waiting' || row.attempts !== attempts) return
    row.status = null
    if (outcome.state === 'waiting') {
      if (outcome.error === undefined) row.attempts -= 1
      this.wait(row, outcome)
    } else if (outcome.state === 'set aside') this.end(row, 'set aside', outcome.error)
    else {
      this.end(row, 'delivered')
      if (!outcome.isTracked) this.empty(row)
      const next = this.#waiting.get(row.destination)?.get(row.line)?.[0]
      if (next) next.dueAt = Math.max(Number(next.dueAt), this.#now() + (outcome.restMs ?? 0))
    }
  }

  /** Has an event wait, in its place, whatever its state was. */
  wait(
    row: QueuedRow,
    { pauseMs, error = null }: { pauseMs: number; error?: string | null | undefined },
  ): void {
    if (row.state !== 'waiting') {
      const line = this.#lineOf(row)
      line.push(row)
      this.#waitingCount += 1
      line.sort((one, other) => one.number - other.number)
    }
    Object.assign(row, { state: 'waiting', dueAt: this.#now() + pauseMs, settledAt: null, error })
  }

  /** Has no event wait for this one any more. */
  end(row: QueuedRow, state: 'delivered' | 'set aside', error: string | null = null): void {
    this.#leaveLine(row)
    Object.assign(row, { state, dueAt: null, settledAt: row.settledAt ?? this.#now(), error })
  }

  empty(row: QueuedRow): void {
    this.#bytes -= bytesOf(row)
    row.body = ''
    this.#bytes += bytesOf(row)
  }

  async list(...[destination, page]: Parameters<EventQueue['list']>): Promise<readonly Delivery[]> {
    const { limit, before = Infinity, state } = page
    const found = [...this.#rows.values()].filter(
      (row) => row.destination === destination && row.number < before && (state ?? row.state) === row.state,
    )
    return found.reverse().slice(0, limit).map(deliveryOf)
  }

  async retry(...[destination, which]: Parameters<EventQueue['retry']>): Promise<number> {
    const found = [...this.#rows.values()].filter(
      ({ destination: other, state, number, body }) =>
        other === destination &&
        state !== 'delivered' &&
        body !== '' &&
        [undefined, number, state].includes(which),
    )
    for (const row of found) {
      this.wait(row, { pauseMs: 0, error: row.error })
      Object.assign(row, { attempts: 0, status: null })
    }
    return found.length
  }

  async countWaiting(): Promise<number> {
    return Math.min(this.#waitingCount, mostCounted)
  }

  /** Drops those that one says yes to. */
  drop(isMeant: (row: QueuedRow) => boolean): void {
    for (const row of this.#rows.values()) if (isMeant(row)) this.delete(row)
  }

  /** Drops one to make room. */
  evict(row: QueuedRow): void {
    this.#evicted += 1
    this.delete(row)
  }

  delete(row: QueuedRow): void {
    this.#leaveLine(row)
    this.#rows.delete(row.number)
    if (row.name !== undefined) this.#named.delete(row.name)
    this.#bytes -= bytesOf(row)
  }

  usage(): StoreUsage {
    return { entries: this.#rows.size, bytes: this.#bytes, evicted: this.#evicted }
  }

  #lineOf({ destination, line }: OutgoingEvent): QueuedRow[] {
    const lines = this.#waiting.get(destination) ?? new Map<string, QueuedRow[]>()
    const rows = lines.get(line) ?? []
    this.#waiting.set(destination, lines.set(line, rows))
    return rows
  }

  #leaveLine(row: QueuedRow): void {
    const rows = this.#lineOf(row)
    const index = rows.indexOf(row)
    if (index !== -1) {
      rows.splice(index, 1)
      this.#waitingCount -= 1
    }
    if (rows.length === 0) this.#waiting.get(row.destination)?.delete(row.line)
  }
}

/** Bytes that an event is accounted with. */
export const bytesOf = ({ body }: Pick<OutgoingEvent, 'body'>) => eventBytes + 2 * body.length

function deliveryOf(row: QueuedRow): Delivery {
  const { number, eventId, type, state, attempts, createdAt, dueAt, settledAt, error, status } = row
  return { number, eventId, type, state, attempts, createdAt, dueAt, settledAt, error, status }
}

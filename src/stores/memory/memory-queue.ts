import { DueTimes } from '../in-process/due-times.ts'
import {
  type ClaimedEvent,
  type Delivery,
  type EventQueue,
  mostCounted,
  type OutgoingEvent,
} from '../outgoing/outbox-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { bytesOf, deliveryOf, type QueuedRow, queuedRow } from './queued-row.ts'

/** Waiting events of one destination. */
interface Waiting {
  /** By line, in order. */
  readonly lines: Map<string, QueuedRow[]>
  /** When the first of each line is due. */
  readonly times: DueTimes
}

/** Events of this process, in lines, which end with it. */
export class MemoryQueue implements EventQueue {
  readonly #now: () => number
  readonly #rows = new Map<number, QueuedRow>()
  readonly #named = new Map<string, QueuedRow>()
  readonly #waiting = new Map<string, Waiting>()
  /** No number before is there. */
  #firstNumber = 1
  #lastNumber = 0
  /** The last that is in its line: who sends needs it there, and no turn does. */
  #linedNumber = 0
  #bytes = 0
  #evicted = 0
  #waitingCount = 0

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  readonly countWaiting = async (): Promise<number> => Math.min(this.#waitingCount, mostCounted)

  readonly usage = (): StoreUsage => ({
    entries: this.#rows.size,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  protected get size(): number {
    return this.#rows.size
  }

  protected get waiting(): number {
    return this.#waitingCount
  }

  /** Those that wait in the line of an event. */
  protected waitingWith({ destination, line }: OutgoingEvent): number {
    this.#fillLines()
    return this.#waiting.get(destination)?.lines.get(line)?.length ?? 0
  }

  protected get bytes(): number {
    return this.#bytes
  }

  /** From the first that was put. */
  protected rows(): Iterable<QueuedRow> {
    return this.#rows.values()
  }

  /** The first that was put. To ask the map for it would pass over all that have left it. */
  protected oldest(): QueuedRow | undefined {
    while (this.#firstNumber <= this.#lastNumber && !this.#rows.has(this.#firstNumber)) this.#firstNumber += 1
    return this.#rows.get(this.#firstNumber)
  }

  protected get(number: number): QueuedRow | undefined {
    return this.#rows.get(number)
  }

  protected find(name: string): QueuedRow | undefined {
    return this.#named.get(name)
  }

  protected name(row: QueuedRow, name: string): void {
    row.name = name
    this.#named.set(name, row)
  }

  protected add(event: OutgoingEvent): QueuedRow {
    this.#lastNumber += 1
    const row = queuedRow(event, this.#lastNumber, this.#now())
    this.#rows.set(row.number, row)
    this.#bytes += bytesOf(row)
    this.#waitingCount += 1
    return row
  }

  async claim(...[wanted, leaseMs]: Parameters<EventQueue['claim']>): Promise<readonly ClaimedEvent[]> {
    const now = this.#now()
    this.#fillLines()
    return wanted.flatMap(({ destination, limit }) => {
      const { lines, times } = this.#waitingFor(destination)
      const due: QueuedRow[] = []
      for (const [line] of times.by(now)) {
        if (due.length === limit) break
        due.push(...(lines.get(line)?.slice(0, 1) ?? []))
      }
      due.sort((one, other) => one.number - other.number)
      return due.map((row) => {
        row.attempts += 1
        this.#putOff(row, now + leaseMs)
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
      const next = this.#firstOf(row)
      if (next) this.#putOff(next, Math.max(Number(next.dueAt), this.#now() + (outcome.restMs ?? 0)))
    }
  }

  /** Has an event wait, in its place, whatever its state was. */
  protected wait(
    row: QueuedRow,
    { pauseMs, error = null }: { pauseMs: number; error?: string | null | undefined },
  ): void {
    this.#fillLines()
    if (row.state !== 'waiting') {
      this.#waitingCount += 1
      this.#enterLine(row)
    }
    Object.assign(row, { state: 'waiting', settledAt: null, error })
    this.#putOff(row, this.#now() + pauseMs)
  }

  /** No event waits for this one any more. */
  protected end(row: QueuedRow, state: 'delivered' | 'set aside', error: string | null = null): void {
    if (row.state === 'waiting') this.#leaveLine(row)
    Object.assign(row, { state, dueAt: null, settledAt: row.settledAt ?? this.#now(), error })
  }

  protected empty(row: QueuedRow): void {
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

  /** Drops what belongs to lines or sessions. */
  erase(ids: ReadonlySet<string>): void {
    for (const row of this.rows())
      if (ids.has(row.line) || (row.sessionId !== undefined && ids.has(row.sessionId))) this.delete(row)
  }

  drop(destination: string): void {
    for (const row of this.rows()) if (row.destination === destination) this.delete(row)
  }

  /** Drops one to make room. */
  protected evict(row: QueuedRow): void {
    this.#evicted += 1
    this.delete(row)
  }

  protected delete(row: QueuedRow): void {
    if (row.state === 'waiting') this.#leaveLine(row)
    this.#rows.delete(row.number)
    if (row.name !== undefined) this.#named.delete(row.name)
    this.#bytes -= bytesOf(row)
  }

  #waitingFor(destination: string): Waiting {
    const waiting = this.#waiting.get(destination) ?? { lines: new Map(), times: new DueTimes() }
    this.#waiting.set(destination, waiting)
    return waiting
  }

  #firstOf({ destination, line }: QueuedRow): QueuedRow | undefined {
    return this.#waitingFor(destination).lines.get(line)?.[0]
  }

  #fillLines(): void {
    while (this.#linedNumber < this.#lastNumber) {
      this.#linedNumber += 1
      const row = this.#rows.get(this.#linedNumber)
      if (row?.state === 'waiting') this.#enterLine(row)
    }
  }

  #enterLine(row: QueuedRow): void {
    const { lines } = this.#waitingFor(row.destination)
    const rows = lines.get(row.line) ?? []
    // Each event brings a text of its own: those of a line keep one.
    row.line = rows[0]?.line ?? row.line
    rows.splice(rows.findLastIndex(({ number }) => number < row.number) + 1, 0, row)
    lines.set(row.line, rows)
    this.#schedule(row)
  }

  #leaveLine(row: QueuedRow): void {
    this.#waitingCount -= 1
    if (row.number > this.#linedNumber) return
    const { lines } = this.#waitingFor(row.destination)
    const rows = lines.get(row.line) ?? []
    if (rows[0] === row) rows.shift()
    else rows.splice(rows.indexOf(row), 1)
    if (rows.length === 0) lines.delete(row.line)
    this.#schedule(row)
  }

  #putOff(row: QueuedRow, due: number): void {
    row.dueAt = due
    this.#schedule(row)
  }

  /** A line is due with its first. */
  #schedule(row: QueuedRow): void {
    this.#waitingFor(row.destination).times.set(row.line, this.#firstOf(row)?.dueAt ?? undefined)
  }
}

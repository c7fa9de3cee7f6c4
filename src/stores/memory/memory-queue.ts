import { DueTimes } from '../in-process/due-times.ts'
import { PackedEvents } from '../in-process/packed-events.ts'
import {
  type ClaimedEvent,
  type Delivery,
  type EventQueue,
  mostCounted,
  type OutgoingEvent,
} from '../outgoing/outbox-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { accountedBytes, bytesOf, deliveryOf, type QueuedRow, queuedRow } from './queued-row.ts'

/** Waiting events of one destination. */
interface Waiting {
  /** By line, in order. */
  readonly lines: Map<string, QueuedRow[]>
  /** When the first of each line is due. */
  readonly times: DueTimes
}

/** To look whether it is enough takes longer than to read one. */
const readAtOnce = 64

/** Events of this process, in lines, which end with it. */
export class MemoryQueue implements EventQueue {
  readonly #now: () => number
  /** Put, and not read since: who sends reads them, and no turn does. They all wait, and come after all rows. */
  readonly #unread = new PackedEvents()
  readonly #rows = new Map<number, QueuedRow>()
  readonly #named = new Map<string, QueuedRow>()
  readonly #waiting = new Map<string, Waiting>()
  /** No number before is there. */
  #firstNumber = 1
  /** Of the rows. */
  #lastNumber = 0
  #bytes = 0
  #evicted = 0
  #waitingCount = 0

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  readonly countWaiting = async (): Promise<number> => Math.min(this.#waitingCount, mostCounted)

  readonly usage = (): StoreUsage => ({
    entries: this.size,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  protected get size(): number {
    return this.#rows.size + this.#unread.size
  }

  protected get waiting(): number {
    return this.#waitingCount
  }

  /** Those that wait in the line of an event. */
  protected waitingWith({ destination, line }: OutgoingEvent): number {
    this.#readAll()
    return this.#waiting.get(destination)?.lines.get(line)?.length ?? 0
  }

  protected get bytes(): number {
    return this.#bytes
  }

  /** From the first that was put. */
  protected rows(): Iterable<QueuedRow> {
    this.#readAll()
    return this.#rows.values()
  }

  /** The first that was put, if it was read. To ask the map for it would pass over all that have left it. */
  protected oldest(): QueuedRow | undefined {
    if (this.#rows.size === 0) return undefined
    while (this.#firstNumber <= this.#lastNumber && !this.#rows.has(this.#firstNumber)) this.#firstNumber += 1
    return this.#rows.get(this.#firstNumber)
  }

  protected get(number: number): QueuedRow | undefined {
    if (number > this.#lastNumber) this.#readAll()
    return this.#rows.get(number)
  }

  /** The last that was put, if it is there. */
  protected latest(): QueuedRow | undefined {
    this.#readAll()
    return this.#rows.get(this.#lastNumber)
  }

  protected find(name: string): QueuedRow | undefined {
    return this.#named.get(name)
  }

  protected name(row: QueuedRow, name: string): void {
    row.name = name
    this.#named.set(name, row)
  }

  protected add(event: OutgoingEvent, now: number): void {
    this.#unread.push(event, now)
    this.#bytes += bytesOf(event)
    this.#waitingCount += 1
  }

  async claim(...[wanted, leaseMs]: Parameters<EventQueue['claim']>): Promise<readonly ClaimedEvent[]> {
    const now = this.#now()
    this.#readFor(wanted, now)
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
    const row = this.get(number)
    if (row?.state !== 'waiting' || row.attempts !== attempts) return
    row.status = null
    if (outcome.state === 'waiting') {
      if (outcome.error === undefined) row.attempts -= 1
      this.wait(row, outcome)
    } else if (outcome.state === 'set aside') this.end(row, 'set aside', outcome.error)
    else {
      // The next of its line may be among them.
      this.#readAll()
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
    const found = [...this.rows()].filter(
      (row) => row.destination === destination && row.number < before && (state ?? row.state) === row.state,
    )
    return found.reverse().slice(0, limit).map(deliveryOf)
  }

  async retry(...[destination, which]: Parameters<EventQueue['retry']>): Promise<number> {
    const found = [...this.rows()].filter(
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

  /** Drops the first that was not read; false where there is none. */
  protected evictUnread(): boolean {
    const length = this.#unread.drop()
    if (length === undefined) return false
    this.#lastNumber += 1
    this.#evicted += 1
    this.#waitingCount -= 1
    this.#bytes -= accountedBytes(length)
    return true
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

  /** Reads until there is nothing unread that would be claimed. An endpoint that fails is told of few, while very many wait. */
  #readFor(wanted: Parameters<EventQueue['claim']>[0], now: number): void {
    for (let first = this.#unread.firstAt; first !== undefined; first = this.#unread.firstAt) {
      const until = Math.min(now, first)
      const isEnough = wanted.every(({ destination, limit }) => {
        let left = limit
        for (const _ of this.#waitingFor(destination).times.by(until)) if (--left === 0) break
        return left === 0
      })
      if (isEnough) return
      this.#read(readAtOnce)
    }
  }

  #readAll(): void {
    this.#read(this.#unread.size)
  }

  #read(count: number): void {
    for (let left = count; left > 0; left--) {
      const put = this.#unread.shift()
      if (!put) return
      this.#lastNumber += 1
      const row = queuedRow(put.event, this.#lastNumber, put.createdAt)
      this.#rows.set(row.number, row)
      this.#enterLine(row)
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

import { PackedEvents } from '../in-process/packed-events.ts'
import {
  type ClaimedEvent,
  type Delivery,
  type EventQueue,
  mostCounted,
  type OutgoingEvent,
} from '../outgoing/outbox-store.ts'
import { WaitingLines } from '../outgoing/waiting-lines.ts'
import type { StoreUsage } from '../store-usage.ts'
import { accountedBytes, bytesOf, deliveryOf, type QueuedRow, queuedRow } from './queued-row.ts'

/** To look whether it is enough takes longer than to read one. */
const readAtOnce = 64

/** Events of this process, in lines, which end with it. */
export class MemoryQueue implements EventQueue {
  readonly #now: () => number
  /** Put, and not read since: who sends reads them, and no turn does. They all wait, and come after all rows. */
  readonly #unread = new PackedEvents()
  readonly #rows = new Map<number, QueuedRow>()
  readonly #named = new Map<string, QueuedRow>()
  /** Of the rows. */
  readonly #lines = new WaitingLines((number) => this.#rows.get(number)?.dueAt ?? undefined)
  /** No number before is there. */
  #firstNumber = 1
  /** Of the rows. */
  #lastNumber = 0
  #bytes = 0
  #evicted = 0

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  readonly countWaiting = async (): Promise<number> => Math.min(this.waiting, mostCounted)

  readonly usage = (): StoreUsage => ({
    entries: this.size,
    bytes: this.#bytes,
    evicted: this.#evicted,
  })

  protected get size(): number {
    return this.#rows.size + this.#unread.size
  }

  protected get waiting(): number {
    return this.#lines.count + this.#unread.size
  }

  /** Those that wait in the line of an event. */
  protected waitingWith(event: OutgoingEvent): number {
    this.#readAll()
    return this.#lines.of(event).length
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
  }

  async claim(...[wanted, leaseMs]: Parameters<EventQueue['claim']>): Promise<readonly ClaimedEvent[]> {
    const now = this.#now()
    this.#readFor(wanted, now)
    return wanted.flatMap(({ destination, limit }) => {
      const due = this.#lines.due(destination, now, limit).flatMap((number) => this.#rows.get(number) ?? [])
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
      const next = this.#rows.get(this.#lines.of(row)[0] ?? 0)
      if (next) this.#putOff(next, Math.max(Number(next.dueAt), this.#now() + (outcome.restMs ?? 0)))
    }
  }

  /** Has an event wait, in its place, whatever its state was. */
  protected wait(
    row: QueuedRow,
    { pauseMs, error = null }: { pauseMs: number; error?: string | null | undefined },
  ): void {
    Object.assign(row, { state: 'waiting', settledAt: null, error })
    this.#putOff(row, this.#now() + pauseMs)
  }

  /** No event waits for this one any more. */
  protected end(row: QueuedRow, state: 'delivered' | 'set aside', error: string | null = null): void {
    this.#lines.leave(row)
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
    this.#bytes -= accountedBytes(length)
    return true
  }

  protected delete(row: QueuedRow): void {
    this.#lines.leave(row)
    this.#rows.delete(row.number)
    if (row.name !== undefined) this.#named.delete(row.name)
    this.#bytes -= bytesOf(row)
  }

  /** Reads until there is nothing unread that would be claimed. An endpoint that fails is told of few, while very many wait. */
  #readFor(wanted: Parameters<EventQueue['claim']>[0], now: number): void {
    for (let first = this.#unread.firstAt; first !== undefined; first = this.#unread.firstAt) {
      const until = Math.min(now, first)
      const isEnough = wanted.every(
        ({ destination, limit }) => this.#lines.due(destination, until, limit).length === limit,
      )
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
      // Each event brings a text of its own: those of a line keep one.
      row.line = this.#rows.get(this.#lines.of(row)[0] ?? 0)?.line ?? row.line
      this.#rows.set(row.number, row)
      this.#lines.join(row, put.createdAt)
    }
  }

  #putOff(row: QueuedRow, due: number): void {
    row.dueAt = due
    this.#lines.join(row, due)
  }
}

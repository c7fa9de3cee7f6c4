import {
  type ClaimedEvent,
  type Delivery,
  type DeliveryPage,
  type EventQueue,
  mostCounted,
  type OutboxBounds,
  type OutgoingEvent,
  type SendOutcome,
} from '../../../outgoing/outbox-store.ts'
import type { InLine } from '../../../outgoing/waiting-lines.ts'
import { queueBoundsOf } from '../../../store-bounds.ts'
import { type Database, prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'
import { StoredLines } from './stored-lines.ts'

type Table = 'outbox' | 'inbox'

const prepare = (database: Database, table: Table) =>
  prepareAll(database, {
    last: `SELECT coalesce(max(number), 0) AS number FROM ${table}`,
    insert: `INSERT INTO ${table} (number, destination, line, event_id, type, body, session_id, created, due)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    claim: `UPDATE ${table} SET attempts = attempts + 1, due = ? WHERE number IN (SELECT value FROM json_each(?))
      RETURNING number, destination, line, event_id AS eventId, type, body, attempts, created AS createdAt`,
    settle: `UPDATE ${table} SET due = ?, settled = ?, is_delivered = ?, error = ?, reference = ?, status = NULL,
        body = CASE WHEN ? THEN NULL ELSE body END, attempts = attempts - ?
      WHERE number = ? AND attempts = ? AND due IS NOT NULL RETURNING line, destination, number`,
    putOff: `UPDATE ${table} SET due = ?1 WHERE number = ?2 AND due < ?1`,
    list: `SELECT number, event_id AS eventId, type, attempts, created AS createdAt, due AS dueAt, settled AS settledAt, error, status,
        CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
      FROM ${table} WHERE destination = ?1 AND number < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY number DESC LIMIT ?4`,
    retry: `UPDATE ${table} SET due = ?1, attempts = 0, settled = NULL, status = NULL
      WHERE destination = ?2 AND NOT is_delivered AND body IS NOT NULL AND number = coalesce(?3, number)
        AND (NOT ?4 OR due IS NOT NULL)
      RETURNING line, destination, number`,
    eraseSettled: `DELETE FROM ${table} WHERE line = ? AND due IS NULL`,
    erase: `DELETE FROM ${table} WHERE number = ?`,
    drop: `DELETE FROM ${table} WHERE destination = ?`,
    dropSurplus: `DELETE FROM ${table} WHERE number IN (
        SELECT number FROM ${table} WHERE number <= (SELECT max(number) FROM ${table}) - ?
          ${table === 'inbox' ? 'AND due IS NULL' : ''} ORDER BY number LIMIT ?)
      RETURNING number, line, destination`,
    dropOld: `DELETE FROM ${table} WHERE number IN (
      SELECT number FROM ${table} WHERE is_delivered = ? AND settled < ? ORDER BY settled LIMIT ?)`,
  })

/** Events of a table, in lines. */
export class QueueRows {
  readonly lines: StoredLines
  protected readonly clock: RowsContext['clock']
  readonly #bounds: OutboxBounds
  readonly #statements
  /** No number is given twice while those who claimed an event may settle it. */
  #lastNumber: number

  constructor({ database, clock, bounds }: Pick<RowsContext, 'database' | 'clock' | 'bounds'>, table: Table) {
    this.clock = clock
    this.#bounds = queueBoundsOf(bounds)[table]
    this.#statements = prepare(database, table)
    // Claims end with the process that made them.
    database.exec(
      `UPDATE ${table} SET due = created WHERE due IS NOT NULL AND attempts > 0 AND error IS NULL`,
    )
    this.lines = new StoredLines(database, table)
    this.#lastNumber = this.#statements.last.get<Pick<InLine, 'number'>>()?.number ?? 0
  }

  claim(wanted: Parameters<EventQueue['claim']>[0], leaseMs: number): readonly ClaimedEvent[] {
    const { now } = this.clock
    return wanted
      .flatMap(({ destination, limit }) => {
        const first = this.lines.due(destination, now, limit)
        if (first.length === 0) return []
        const due = now + leaseMs
        const claimed = this.#statements.claim.all<ClaimedEvent>(due, JSON.stringify(first))
        for (const event of claimed) this.lines.join(event, due)
        return claimed
      })
      .sort((one, other) => one.number - other.number)
  }

  settle({ number, attempts }: Pick<ClaimedEvent, 'number' | 'attempts'>, outcome: SendOutcome): void {
    const { now } = this.clock
    const { state } = outcome
    const due = state === 'waiting' ? now + outcome.pauseMs : null
    const sent = state === 'delivered' ? outcome : undefined
    const error = ('error' in outcome ? outcome.error : undefined) ?? null
    const row = this.#statements.settle.get<InLine>(
      due,
      due === null ? now : null,
      Number(sent !== undefined),
      error,
      sent?.reference ?? null,
      Number(sent !== undefined && !sent.isTracked),
      Number(state === 'waiting' && error === null),
      number,
      attempts,
    )
    if (!row) return
    if (due !== null) this.lines.join(row, due)
    else this.lines.leave(row)
    if (sent?.restMs) this.#putOff(row, now + sent.restMs)
  }

  list(destination: string, { limit, before, state }: DeliveryPage): readonly Delivery[] {
    return this.#statements.list.all(destination, before ?? Number.MAX_SAFE_INTEGER, state ?? null, limit)
  }

  retry(destination: string, which?: number | 'waiting'): number {
    const { now } = this.clock
    const isWaiting = which === 'waiting'
    const number = isWaiting ? null : (which ?? null)
    const retried = this.#statements.retry.all<InLine>(now, destination, number, Number(isWaiting))
    for (const event of retried) this.lines.join(event, now)
    return retried.length
  }

  countWaiting(): number {
    return Math.min(this.lines.count, mostCounted)
  }

  erase(line: string): void {
    for (const event of this.lines.named(line)) {
      this.#statements.erase.run(event.number)
      this.lines.leave(event)
    }
    this.#statements.eraseSettled.run(line)
  }

  drop(destination: string): void {
    this.#statements.drop.run(destination)
    this.lines.drop(destination)
  }

  /** A step of erasing what is past its time or its bound; how many have gone. */
  sweep(limit: number): number {
    const { now } = this.clock
    const { deliveredMs, setAsideMs, maxEvents } = this.#bounds
    const { dropOld, dropSurplus } = this.#statements
    const delivered = Number(dropOld.run(1, now - deliveredMs, limit).changes)
    const setAside = Number(dropOld.run(0, now - setAsideMs, limit).changes)
    return delivered + setAside + this.gone(dropSurplus.all(maxEvents, limit))
  }

  protected add(events: readonly OutgoingEvent[]): void {
    const { now } = this.clock
    for (const { destination, line, eventId, type, body, sessionId = null } of events) {
      const number = ++this.#lastNumber
      this.#statements.insert.run(number, destination, line, eventId, type, body, sessionId, now, now)
      this.lines.join({ line, destination, number }, now)
    }
  }

  /** They are there no more; how many they are. */
  protected gone(events: readonly InLine[]): number {
    for (const event of events) this.lines.leave(event)
    return events.length
  }

  /** The first of a line waits until a time at least. */
  #putOff(name: InLine, until: number): void {
    const [number] = this.lines.of(name)
    if (number === undefined) return
    const isLater = Number(this.#statements.putOff.run(until, number).changes) > 0
    if (isLater) this.lines.join({ ...name, number }, until)
  }
}

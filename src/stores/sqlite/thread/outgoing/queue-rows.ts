import {
  type ClaimedEvent,
  type Delivery,
  type DeliveryPage,
  type EventQueue,
  mostCounted,
  type OutgoingEvent,
  type SendOutcome,
} from '../../../outgoing/outbox-store.ts'
import { type Database, prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'

const inOrder = 'line = ? AND destination = ? AND due IS NOT NULL'

const prepare = (database: Database, table: 'outbox' | 'inbox') =>
  prepareAll(database, {
    insert: `INSERT INTO ${table} (destination, line, event_id, type, body, session_id, created, due)
      VALUES (?, ?, ?, ?, ?, ?, ?,
        max(?, coalesce((SELECT max(due) FROM ${table} WHERE ${inOrder}), 0)))`,
    // The sum keeps the plan from looking for those before one among all of its destination.
    claim: `UPDATE ${table} SET attempts = attempts + 1, due = ? WHERE number IN (
        SELECT number FROM ${table} o WHERE destination = ? AND due <= ? AND NOT EXISTS (
          SELECT 1 FROM ${table} e
          WHERE e.line = o.line AND e.destination = o.destination AND e.number + 0 < o.number AND e.due IS NOT NULL)
        ORDER BY due, number LIMIT ?)
      RETURNING number, destination, line, event_id AS eventId, type, body, attempts, created AS createdAt`,
    settle: `UPDATE ${table} SET due = ?, settled = ?, is_delivered = ?, error = ?, reference = ?, status = NULL,
        body = CASE WHEN ? THEN NULL ELSE body END, attempts = attempts - ?
      WHERE number = ? AND attempts = ? AND due IS NOT NULL RETURNING line, destination, number`,
    rest: `UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ?`,
    letGo: `UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ? AND due > ?`,
    putOff: `UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ? AND due < ?`,
    list: `SELECT number, event_id AS eventId, type, attempts, created AS createdAt, due AS dueAt, settled AS settledAt, error, status,
        CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
      FROM ${table} WHERE destination = ?1 AND number < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY number DESC LIMIT ?4`,
    retry: `UPDATE ${table} SET due = ?1, attempts = 0, settled = NULL, status = NULL
      WHERE destination = ?2 AND NOT is_delivered AND body IS NOT NULL AND number = coalesce(?3, number)
        AND (NOT ?4 OR due IS NOT NULL)`,
    count: `SELECT count(*) AS waiting FROM (SELECT 1 FROM ${table} WHERE due IS NOT NULL LIMIT ${mostCounted})`,
    erase: `DELETE FROM ${table} WHERE line = ?`,
    drop: `DELETE FROM ${table} WHERE destination = ?`,
    dropOld: `DELETE FROM ${table} WHERE number IN (
      SELECT number FROM ${table} WHERE is_delivered = ? AND settled < ? ORDER BY settled LIMIT ?)`,
  })

type InLine = Pick<ClaimedEvent, 'line' | 'destination' | 'number'>

/** Events of a table, in lines. */
export class QueueRows {
  protected readonly clock: RowsContext['clock']
  readonly #statements

  constructor({ database, clock }: Pick<RowsContext, 'database' | 'clock'>, table: 'outbox' | 'inbox') {
    this.clock = clock
    this.#statements = prepare(database, table)
    // Claims end with the process that made them.
    database.exec(
      `UPDATE ${table} SET due = created WHERE due IS NOT NULL AND attempts > 0 AND error IS NULL`,
    )
  }

  claim(wanted: Parameters<EventQueue['claim']>[0], leaseMs: number): readonly ClaimedEvent[] {
    const { now } = this.clock
    return wanted
      .flatMap(({ destination, limit }) =>
        this.#statements.claim.all<ClaimedEvent>(now + leaseMs, destination, now, limit),
      )
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
    if (row) this.order(row, { due, restMs: sent?.restMs })
  }

  list(destination: string, { limit, before, state }: DeliveryPage): readonly Delivery[] {
    return this.#statements.list.all(destination, before ?? Number.MAX_SAFE_INTEGER, state ?? null, limit)
  }

  retry(destination: string, which?: number | 'waiting'): number {
    const isWaiting = which === 'waiting'
    const number = isWaiting ? null : (which ?? null)
    const { changes } = this.#statements.retry.run(this.clock.now, destination, number, Number(isWaiting))
    return Number(changes)
  }

  countWaiting(): number {
    return this.#statements.count.get<{ waiting: number }>()?.waiting ?? 0
  }

  erase(line: string): void {
    this.#statements.erase.run(line)
  }

  drop(destination: string): void {
    this.#statements.drop.run(destination)
  }

  protected add(events: readonly OutgoingEvent[]): void {
    const { now } = this.clock
    for (const { destination, line, eventId, type, body, sessionId = null } of events)
      this.#statements.insert.run(
        destination,
        line,
        eventId,
        type,
        body,
        sessionId,
        now,
        now,
        line,
        destination,
      )
  }

  /** Has those behind an event wait for it, or for it no more. */
  protected order(
    { line, destination, number }: InLine,
    { due, restMs = 0 }: { readonly due: number | null; readonly restMs?: number | undefined },
  ): void {
    const { now } = this.clock
    const { putOff, rest, letGo } = this.#statements
    if (due !== null) putOff.run(due, line, destination, number, due)
    else if (restMs > 0) rest.run(now + restMs, line, destination, number)
    else letGo.run(now, line, destination, number, now)
  }

  /** Erases so many at most of what was settled before a time, delivered or set aside; how many have gone. */
  protected dropOld(isDelivered: 0 | 1, before: number, limit: number): number {
    return Number(this.#statements.dropOld.run(isDelivered, before, limit).changes)
  }
}

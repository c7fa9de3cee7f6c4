import {
  type ClaimedEvent,
  type Delivery,
  type DeliveryPage,
  mostCounted,
  type OutboxStore,
  type OutgoingEvent,
  type SendOutcome,
} from '../../../outgoing/outbox-store.ts'
import type { Database } from '../binding.ts'

const inOrder = 'line = ? AND destination = ? AND due IS NOT NULL'

/** Events of a table, in lines. */
export function createQueueRows(database: Database, table: 'outbox' | 'inbox') {
  const insert = database.prepare(
    `INSERT INTO ${table} (destination, line, event_id, type, body, session_id, created, due)
     VALUES (?, ?, ?, ?, ?, ?, ?,
       max(?, coalesce((SELECT max(due) FROM ${table} WHERE ${inOrder}), 0)))`,
  )
  // The sum keeps the plan from looking for those before one among all of its destination.
  const claim = database.prepare(
    `UPDATE ${table} SET attempts = attempts + 1, due = ? WHERE number IN (
       SELECT number FROM ${table} o WHERE destination = ? AND due <= ? AND NOT EXISTS (
         SELECT 1 FROM ${table} e
         WHERE e.line = o.line AND e.destination = o.destination AND e.number + 0 < o.number AND e.due IS NOT NULL)
       ORDER BY due, number LIMIT ?)
     RETURNING number, destination, line, event_id AS eventId, type, body, attempts, created AS createdAt`,
  )
  const settle = database.prepare(
    `UPDATE ${table} SET due = ?, settled = ?, is_delivered = ?, error = ?, reference = ?, status = NULL,
       body = CASE WHEN ? THEN NULL ELSE body END, attempts = attempts - ?
     WHERE number = ? AND attempts = ? AND due IS NOT NULL RETURNING line, destination`,
  )
  const rest = database.prepare(`UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ?`)
  const letGo = database.prepare(`UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ? AND due > ?`)
  const putOff = database.prepare(`UPDATE ${table} SET due = ? WHERE ${inOrder} AND number > ? AND due < ?`)
  const list = database.prepare(
    `SELECT number, event_id AS eventId, type, attempts, created AS createdAt, due AS dueAt, settled AS settledAt, error, status,
       CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
     FROM ${table} WHERE destination = ?1 AND number < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY number DESC LIMIT ?4`,
  )
  const retry = database.prepare(
    `UPDATE ${table} SET due = ?1, attempts = 0, settled = NULL, status = NULL
     WHERE destination = ?2 AND NOT is_delivered AND body IS NOT NULL AND number = coalesce(?3, number)
       AND (NOT ?4 OR due IS NOT NULL)`,
  )
  const count = database.prepare(
    `SELECT count(*) AS waiting FROM (SELECT 1 FROM ${table} WHERE due IS NOT NULL LIMIT ${mostCounted})`,
  )
  const erase = database.prepare(`DELETE FROM ${table} WHERE line = ?`)
  const drop = database.prepare(`DELETE FROM ${table} WHERE destination = ?`)
  const old = database.prepare(
    `DELETE FROM ${table} WHERE number IN (
       SELECT number FROM ${table} WHERE is_delivered = ? AND settled < ? ORDER BY settled LIMIT ?)`,
  )
  // Claims end with the process that made them.
  database.exec(`UPDATE ${table} SET due = created WHERE due IS NOT NULL AND attempts > 0 AND error IS NULL`)

  /** Has those behind an event wait for it, or for it no more. */
  function order(
    now: number,
    row: Pick<OutgoingEvent, 'line' | 'destination'> & { number: number },
    { due, restMs = 0 }: { readonly due: number | null; readonly restMs?: number | undefined },
  ): void {
    const { line, destination, number } = row
    if (due !== null) putOff.run(due, line, destination, number, due)
    else if (restMs > 0) rest.run(now + restMs, line, destination, number)
    else letGo.run(now, line, destination, number, now)
  }

  return {
    put(events: readonly OutgoingEvent[], now: number): void {
      for (const { destination, line, eventId, type, body, sessionId = null } of events)
        insert.run(destination, line, eventId, type, body, sessionId, now, now, line, destination)
    },
    claim: (now: number, wanted: Parameters<OutboxStore['claim']>[0], leaseMs: number): ClaimedEvent[] =>
      wanted
        .flatMap(
          ({ destination, limit }) => claim.all(now + leaseMs, destination, now, limit) as ClaimedEvent[],
        )
        .sort((one, other) => one.number - other.number),
    settle(
      now: number,
      { number, attempts }: Pick<ClaimedEvent, 'number' | 'attempts'>,
      outcome: SendOutcome,
    ): void {
      const { state } = outcome
      const due = state === 'waiting' ? now + outcome.pauseMs : null
      const sent = state === 'delivered' ? outcome : undefined
      const error = ('error' in outcome ? outcome.error : undefined) ?? null
      const values = [
        due,
        due === null ? now : null,
        Number(sent !== undefined),
        error,
        sent?.reference ?? null,
        Number(sent !== undefined && !sent.isTracked),
        Number(state === 'waiting' && error === null),
        number,
        attempts,
      ] as const
      const row = settle.get(...values) as Pick<OutgoingEvent, 'line' | 'destination'> | undefined
      if (row) order(now, { ...row, number }, { due, restMs: sent?.restMs })
    },
    order,
    list: (_: number, destination: string, { limit, before, state }: DeliveryPage): Delivery[] =>
      list.all(destination, before ?? Number.MAX_SAFE_INTEGER, state ?? null, limit) as Delivery[],
    retry(now: number, ...[destination, which]: Parameters<OutboxStore['retry']>): number {
      const isWaiting = which === 'waiting'
      const number = isWaiting ? null : (which ?? null)
      return Number(retry.run(now, destination, number, Number(isWaiting)).changes)
    },
    count: () => (count.get() as { waiting: number }).waiting,
    erase: (line: string) => void erase.run(line),
    drop: (destination: string) => void drop.run(destination),
    /** Erases so many at most of what was settled before a time, delivered or set aside; how many have gone. */
    sweep: (isDelivered: 0 | 1, before: number, limit: number): number =>
      Number(old.run(isDelivered, before, limit).changes),
  }
}

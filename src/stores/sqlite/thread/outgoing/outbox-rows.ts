import type {
  ClaimedEvent,
  Delivery,
  DeliveryPage,
  OutboxBounds,
  OutboxStore,
  OutgoingEvent,
  SendOutcome,
} from '../../../outgoing/outbox-store.ts'
import type { Database } from '../binding.ts'

const inOrder = 'line = ? AND destination = ? AND due IS NOT NULL'

/** Events that were put out. */
export function createOutboxRows(database: Database, bounds: OutboxBounds) {
  const insert = database.prepare(
    `INSERT INTO outbox (destination, line, event_id, type, body, created, due) VALUES (?, ?, ?, ?, ?, ?,
       max(?, coalesce((SELECT max(due) FROM outbox WHERE ${inOrder}), 0)))`,
  )
  const claim = database.prepare(
    `UPDATE outbox SET attempts = attempts + 1, due = ? WHERE number IN (
       SELECT number FROM outbox o WHERE destination = ? AND due <= ? AND NOT EXISTS (
         SELECT 1 FROM outbox e
         WHERE e.line = o.line AND e.destination = o.destination AND e.number < o.number AND e.due IS NOT NULL)
       ORDER BY due, number LIMIT ?)
     RETURNING number, destination, line, event_id AS eventId, type, body, attempts, created AS createdAt`,
  )
  const settle = database.prepare(
    `UPDATE outbox SET due = ?, settled = ?, is_delivered = ?, error = ?, body = CASE WHEN ? THEN NULL ELSE body END
     WHERE number = ? AND attempts = ? AND due IS NOT NULL RETURNING line, destination`,
  )
  const letGo = database.prepare(`UPDATE outbox SET due = ? WHERE ${inOrder} AND number > ? AND due > ?`)
  const putOff = database.prepare(`UPDATE outbox SET due = ? WHERE ${inOrder} AND number > ? AND due < ?`)
  const list = database.prepare(
    `SELECT number, event_id AS eventId, type, attempts, created AS createdAt, due AS dueAt, settled AS settledAt, error,
       CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
     FROM outbox WHERE destination = ?1 AND number < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY number DESC LIMIT ?4`,
  )
  const retry = database.prepare(
    `UPDATE outbox SET due = ?1, attempts = 0, settled = NULL
     WHERE destination = ?2 AND NOT is_delivered AND number = coalesce(?3, number) AND (NOT ?4 OR due IS NOT NULL)`,
  )
  const erase = database.prepare('DELETE FROM outbox WHERE line = ?')
  const drop = database.prepare('DELETE FROM outbox WHERE destination = ?')
  const old = database.prepare(
    `DELETE FROM outbox WHERE number IN (
       SELECT number FROM outbox WHERE is_delivered = ? AND settled < ? ORDER BY settled LIMIT ?)`,
  )
  const surplus = database.prepare(
    `DELETE FROM outbox WHERE number IN (
       SELECT number FROM outbox WHERE number <= (SELECT max(number) FROM outbox) - ? ORDER BY number LIMIT ?)`,
  )
  // Claims end with the process that made them.
  database.exec('UPDATE outbox SET due = created WHERE due IS NOT NULL AND attempts > 0 AND error IS NULL')

  return {
    put(events: readonly OutgoingEvent[], now: number): void {
      for (const { destination, line, eventId, type, body } of events)
        insert.run(destination, line, eventId, type, body, now, now, line, destination)
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
      const isDelivered = Number(state === 'delivered')
      const error = 'error' in outcome ? outcome.error : null
      const values = [
        due,
        due === null ? now : null,
        isDelivered,
        error,
        isDelivered,
        number,
        attempts,
      ] as const
      const row = settle.get(...values) as Pick<OutgoingEvent, 'line' | 'destination'> | undefined
      if (!row) return
      if (due === null) letGo.run(now, row.line, row.destination, number, now)
      else putOff.run(due, row.line, row.destination, number, due)
    },
    list: (_: number, destination: string, { limit, before, state }: DeliveryPage): Delivery[] =>
      list.all(destination, before ?? Number.MAX_SAFE_INTEGER, state ?? null, limit) as Delivery[],
    retry(now: number, ...[destination, which]: Parameters<OutboxStore['retry']>): number {
      const isWaiting = which === 'waiting'
      const number = isWaiting ? null : (which ?? null)
      return Number(retry.run(now, destination, number, Number(isWaiting)).changes)
    },
    erase: (line: string) => void erase.run(line),
    drop: (destination: string) => void drop.run(destination),
    /** A step of erasing what is past its time or its bound; how many have gone. */
    sweep: (now: number, limit: number): number =>
      [
        old.run(1, now - bounds.deliveredMs, limit),
        old.run(0, now - bounds.setAsideMs, limit),
        surplus.run(bounds.maxEvents, limit),
      ].reduce((sum, { changes }) => sum + Number(changes), 0),
  }
}

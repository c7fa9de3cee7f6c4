import {
  type OutboxBounds,
  type OutgoingEvent,
  readReference,
  type StatusChange,
  statusOrder,
} from '../../../outgoing/outbox-store.ts'
import type { Database } from '../binding.ts'
import { createQueueRows } from './queue-rows.ts'

interface SentRow extends Pick<OutgoingEvent, 'line' | 'destination'> {
  readonly number: number
  readonly isWaiting: 0 | 1
  readonly hasBody: 0 | 1
  readonly status: (typeof statusOrder)[number] | null
}

const sentRow = `SELECT number, line, destination, due IS NOT NULL AS isWaiting, body IS NOT NULL AS hasBody, status FROM outbox`

/** Events that were put out. */
export function createOutboxRows(database: Database, bounds: OutboxBounds) {
  const { put, claim, settle, order, list, retry, count, erase, drop, sweep } = createQueueRows(
    database,
    'outbox',
  )
  const findByName = database.prepare(`${sentRow} WHERE number = ? AND event_id = ? AND destination = ?`)
  const findByReference = database.prepare(`${sentRow} WHERE reference = ? AND destination = ?`)
  const arrived = database.prepare(
    `UPDATE outbox SET status = ?, due = NULL, settled = coalesce(settled, ?), is_delivered = 1, error = NULL,
       body = CASE WHEN ? THEN NULL ELSE body END WHERE number = ?`,
  )
  const failed = database.prepare(
    `UPDATE outbox SET status = 'failed', error = ?, is_delivered = 0, due = ?, settled = ? WHERE number = ?`,
  )
  const eraseOf = database.prepare('DELETE FROM outbox WHERE session_id = ?')
  const surplus = database.prepare(
    `DELETE FROM outbox WHERE number IN (
       SELECT number FROM outbox WHERE number <= (SELECT max(number) FROM outbox) - ? ORDER BY number LIMIT ?)`,
  )

  function find({ destination, reference }: StatusChange): SentRow | undefined {
    const name = readReference(reference)
    const row = name
      ? findByName.get(name.number, name.eventId, destination)
      : findByReference.get(reference, destination)
    return row as SentRow | undefined
  }

  function trackOne(now: number, change: StatusChange): void {
    const row = find(change)
    const { status, error = null, pauseMs } = change
    const rank = statusOrder.indexOf(status)
    if (!row || (row.status !== null && statusOrder.indexOf(row.status) >= rank)) return
    const due = status === 'failed' && pauseMs !== undefined && row.hasBody ? now + pauseMs : null
    if (status === 'failed') failed.run(error, due, due === null ? now : null, row.number)
    else arrived.run(status, now, Number(status !== 'sent'), row.number)
    if (row.isWaiting || due !== null) order(now, row, { due })
  }

  return {
    put,
    claim,
    settle,
    list,
    retry,
    count,
    drop,
    track(now: number, changes: readonly StatusChange[]): void {
      for (const change of changes) trackOne(now, change)
    },
    /** Drops what belongs to a session. */
    erase(sessionId: string): void {
      erase(sessionId)
      eraseOf.run(sessionId)
    },
    /** A step of erasing what is past its time or its bound; how many have gone. */
    sweep: (now: number, limit: number): number =>
      sweep(1, now - bounds.deliveredMs, limit) +
      sweep(0, now - bounds.setAsideMs, limit) +
      Number(surplus.run(bounds.maxEvents, limit).changes),
  }
}

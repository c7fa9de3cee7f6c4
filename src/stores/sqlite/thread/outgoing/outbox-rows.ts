import {
  type OutgoingEvent,
  readReference,
  type StatusChange,
  statusOrder,
} from '../../../outgoing/outbox-store.ts'
import { prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'
import { QueueRows } from './queue-rows.ts'

interface SentRow extends Pick<OutgoingEvent, 'line' | 'destination'> {
  readonly number: number
  readonly hasBody: 0 | 1
  readonly status: (typeof statusOrder)[number] | null
}

const sentRow = `SELECT number, line, destination, body IS NOT NULL AS hasBody, status FROM outbox`

/** Events that were put out. */
export class OutboxRows extends QueueRows {
  readonly #statements

  constructor(context: RowsContext) {
    super(context, 'outbox')
    this.#statements = prepareAll(context.database, {
      findByName: `${sentRow} WHERE number = ? AND event_id = ? AND destination = ?`,
      findByReference: `${sentRow} WHERE reference = ? AND destination = ?`,
      arrived: `UPDATE outbox SET status = ?, due = NULL, settled = coalesce(settled, ?), is_delivered = 1, error = NULL,
        body = CASE WHEN ? THEN NULL ELSE body END WHERE number = ?`,
      failed: `UPDATE outbox SET status = 'failed', error = ?, is_delivered = 0, due = ?, settled = ? WHERE number = ?`,
      eraseOf: 'DELETE FROM outbox WHERE session_id = ? RETURNING number, line, destination',
    })
  }

  put(events: readonly OutgoingEvent[]): void {
    this.add(events)
  }

  track(changes: readonly StatusChange[]): void {
    for (const change of changes) this.#track(change)
  }

  /** Drops what belongs to a session. */
  override erase(sessionId: string): void {
    super.erase(sessionId)
    this.gone(this.#statements.eraseOf.all(sessionId))
  }

  #track(change: StatusChange): void {
    const { now } = this.clock
    const row = this.#find(change)
    const { status, error = null, pauseMs } = change
    const rank = statusOrder.indexOf(status)
    if (!row || (row.status !== null && statusOrder.indexOf(row.status) >= rank)) return
    const due = status === 'failed' && pauseMs !== undefined && row.hasBody ? now + pauseMs : null
    const { failed, arrived } = this.#statements
    if (status === 'failed') failed.run(error, due, due === null ? now : null, row.number)
    else arrived.run(status, now, Number(status !== 'sent'), row.number)
    if (due === null) this.lines.leave(row)
    else this.lines.join(row, due)
  }

  #find({ destination, reference }: StatusChange): SentRow | undefined {
    const { findByName, findByReference } = this.#statements
    const name = readReference(reference)
    return name
      ? findByName.get(name.number, name.eventId, destination)
      : findByReference.get(reference, destination)
  }
}

import type { InboxBounds, OutgoingEvent } from '../../../outgoing/outbox-store.ts'
import type { Database } from '../binding.ts'
import { createQueueRows } from './queue-rows.ts'

/** Messages that came in. */
export function createInboxRows(database: Database, bounds: InboxBounds) {
  const { put, claim, settle, list, retry, count, erase, drop, sweep } = createQueueRows(database, 'inbox')
  const known = database.prepare('SELECT 1 FROM inbox WHERE destination = ? AND event_id = ?')
  const full = database.prepare('SELECT 1 FROM inbox WHERE due IS NOT NULL LIMIT 1 OFFSET ?')
  const longLine = database.prepare(
    'SELECT 1 FROM inbox WHERE line = ? AND destination = ? AND due IS NOT NULL LIMIT 1 OFFSET ?',
  )
  const surplus = database.prepare(
    `DELETE FROM inbox WHERE number IN (
       SELECT number FROM inbox WHERE number <= (SELECT max(number) FROM inbox) - ? AND due IS NULL ORDER BY number LIMIT ?)`,
  )
  return {
    /** Returns how many are new and found no room. */
    put(now: number, messages: readonly OutgoingEvent[]): number {
      const isFull = full.get(bounds.maxWaiting - 1) !== undefined
      return messages.filter((message) => {
        const { destination, eventId, line } = message
        if (known.get(destination, eventId)) return false
        const isLeft = isFull || longLine.get(line, destination, bounds.maxOfLine - 1) !== undefined
        if (!isLeft) put([message], now)
        return isLeft
      }).length
    },
    claim,
    settle,
    list,
    retry,
    count,
    erase,
    drop,
    /** A step of erasing what is past its time or its bound; how many have gone. */
    sweep: (now: number, limit: number): number =>
      sweep(1, now - bounds.knownMs, limit) +
      sweep(0, now - bounds.knownMs, limit) +
      Number(surplus.run(bounds.maxEvents, limit).changes),
  }
}

import { fullInbox, type InboxBounds, type OutgoingEvent } from '../../../outgoing/outbox-store.ts'
import type { Database } from '../binding.ts'
import { createQueueRows } from './queue-rows.ts'

/** Messages that came in. */
export function createInboxRows(database: Database, { maxWaiting, maxEvents, knownMs }: InboxBounds) {
  const { put, claim, settle, list, retry, erase, drop, sweep } = createQueueRows(database, 'inbox')
  const full = database.prepare('SELECT 1 FROM inbox WHERE due IS NOT NULL LIMIT 1 OFFSET ?')
  const surplus = database.prepare(
    `DELETE FROM inbox WHERE number IN (
       SELECT number FROM inbox WHERE number <= (SELECT max(number) FROM inbox) - ? AND due IS NULL ORDER BY number LIMIT ?)`,
  )
  return {
    put(now: number, messages: readonly OutgoingEvent[]): void {
      if (full.get(maxWaiting - 1)) throw fullInbox()
      put(messages, now)
    },
    claim,
    settle,
    list,
    retry,
    erase,
    drop,
    /** A step of erasing what is past its time or its bound; how many have gone. */
    sweep: (now: number, limit: number): number =>
      sweep(1, now - knownMs, limit) +
      sweep(0, now - knownMs, limit) +
      Number(surplus.run(maxEvents, limit).changes),
  }
}

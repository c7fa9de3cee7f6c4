import type { InboxBounds, OutgoingEvent } from '../../../outgoing/outbox-store.ts'
import { prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'
import { QueueRows } from './queue-rows.ts'

/** Messages that came in. */
export class InboxRows extends QueueRows {
  readonly #bounds: InboxBounds
  readonly #statements

  constructor(context: RowsContext) {
    super(context, 'inbox')
    this.#bounds = context.bounds.inbox
    this.#statements = prepareAll(context.database, {
      known: 'SELECT 1 FROM inbox WHERE destination = ? AND event_id = ?',
      dropSurplus: `DELETE FROM inbox WHERE number IN (
        SELECT number FROM inbox WHERE number <= (SELECT max(number) FROM inbox) - ? AND due IS NULL ORDER BY number LIMIT ?)`,
    })
  }

  /** Returns how many are new and found no room. */
  put(messages: readonly OutgoingEvent[]): number {
    const { known } = this.#statements
    const { maxWaiting, maxOfLine } = this.#bounds
    return messages.filter((message) => {
      const { destination, eventId } = message
      if (known.get(destination, eventId)) return false
      const isLeft = this.lines.count >= maxWaiting || this.lines.of(message).length >= maxOfLine
      if (!isLeft) this.add([message])
      return isLeft
    }).length
  }

  /** A step of erasing what is past its time or its bound; how many have gone. */
  sweep(limit: number): number {
    const { knownMs, maxEvents } = this.#bounds
    const before = this.clock.now - knownMs
    const old = this.dropOld(1, before, limit) + this.dropOld(0, before, limit)
    return old + Number(this.#statements.dropSurplus.run(maxEvents, limit).changes)
  }
}

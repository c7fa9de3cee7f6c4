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
}

import type { Delivery, OutgoingEvent } from '../outgoing/outbox-store.ts'

/** An event; without its body, that is empty. */
export type QueuedRow = OutgoingEvent & { -readonly [Key in keyof Delivery]: Delivery[Key] } & {
  line: string
  body: string
  /** By which it is found. */
  name?: string | undefined
}

/** Bytes of an event beside its body. */
const eventBytes = 600

/** The row of an event that is put; `now` in milliseconds since 1970. */
export function queuedRow(event: OutgoingEvent, number: number, now: number): QueuedRow {
  const { destination, line, eventId, type, body, sessionId } = event
  // All at once: objects that grow take several times the room.
  return {
    number,
    destination,
    line,
    eventId,
    type,
    body,
    sessionId,
    state: 'waiting',
    attempts: 0,
    createdAt: now,
    dueAt: now,
    settledAt: null,
    error: null,
    status: null,
    name: undefined,
  }
}

/** Bytes that an event is accounted with whose body has so many characters. */
export const accountedBytes = (length: number) => eventBytes + 2 * length

export const bytesOf = ({ body }: Pick<OutgoingEvent, 'body'>) => accountedBytes(body.length)

/** The row without what is sent. */
export function deliveryOf(row: QueuedRow): Delivery {
  const { number, eventId, type, state, attempts, createdAt, dueAt, settledAt, error, status } = row
  return { number, eventId, type, state, attempts, createdAt, dueAt, settledAt, error, status }
}

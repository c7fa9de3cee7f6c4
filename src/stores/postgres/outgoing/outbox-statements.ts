import { type OutgoingEvent, statusOrder } from '../../outgoing/outbox-store.ts'
import { joinedJson, joinJson } from '../postgres-text.ts'
import { columnsOf } from '../statement-batch.ts'
import { putColumns, putRow } from './queue-statements.ts'

/**
 * Puts events out: seven columns of them from a parameter on, the first of which has the number of the turn. Bodies are JSON, and
 * joined: as an array, each of their many quotes would be escaped.
 */
const insertFrom = (first: number) => `
  INSERT INTO outbox ${putColumns}${putRow('outbox')}
  FROM clock, unnest($${first}::bigint[], $${first + 1}::text[], $${first + 2}::text[],
    $${first + 3}::text[], $${first + 4}::text[], ${joinedJson(first + 5)}, $${first + 6}::text[])
    WITH ORDINALITY AS o(turn, destination, line, event_id, type, body, session_id, n)
  WHERE o.turn IN (SELECT n FROM kept) ORDER BY o.n`

/** The part of a commit. */
export const putOut = `,
outgoing AS (${insertFrom(18)}
)`

/** The same by itself; the number of each is 1. */
export const putOutAlone = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now), kept AS (SELECT 1 AS n)${insertFrom(1)}`

/** The six columns behind the numbers of the turns. */
export const outboxColumnsOf = (outgoing: readonly OutgoingEvent[]) => [
  ...columnsOf(outgoing, 'destination', 'line', 'eventId', 'type'),
  joinJson(outgoing.map(({ body }) => body)),
  ...columnsOf(outgoing, 'sessionId'),
]

/** Arrays of messages that came in. */
export const eventColumnsOf = (events: readonly OutgoingEvent[]) =>
  columnsOf(events, 'destination', 'line', 'eventId', 'type', 'body', 'sessionId')

const rankOf = (status: string) =>
  `coalesce(array_position(ARRAY[${statusOrder.map((name) => `'${name}'`).join(', ')}], ${status}), 0)`

/**
 * $1 destinations, $2 and $3 numbers and event ids or null, $4 references, $5 statuses, $6 errors, $7 pauses in milliseconds or null. Of
 * an event the status that stands last counts. Those behind one that waited are due now that it is gone.
 */
export const trackOutgoing = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
told AS MATERIALIZED (
  SELECT DISTINCT ON (f.number) f.number, t.status, t.error, t.pause
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    AS t(destination, number, event_id, reference, status, error, pause), LATERAL (
    SELECT o.number FROM outbox o
    WHERE o.number = t.number AND o.event_id = t.event_id AND o.destination = t.destination
    UNION ALL
    SELECT o.number FROM outbox o
    WHERE t.number IS NULL AND o.reference = t.reference AND o.destination = t.destination
  ) AS f
  ORDER BY f.number, ${rankOf('t.status')} DESC
),
found AS MATERIALIZED (
  SELECT o.number, o.due IS NOT NULL AS was_waiting,
    CASE WHEN t.status = 'failed' AND o.body IS NOT NULL THEN now + t.pause END AS due
  FROM outbox o JOIN told t ON o.number = t.number, clock
  WHERE ${rankOf('o.status')} < ${rankOf('t.status')} ORDER BY o.number FOR UPDATE OF o
),
moved AS (
  UPDATE outbox o SET status = t.status, due = f.due, error = t.error, is_delivered = t.status <> 'failed',
    settled = CASE WHEN f.due IS NULL THEN coalesce(o.settled, now) END,
    body = CASE WHEN t.status IN ('sent', 'failed') THEN o.body END
  FROM found f JOIN told t ON t.number = f.number, clock WHERE o.number = f.number
  RETURNING o.line, o.destination, o.number, f.due, f.was_waiting
)
UPDATE outbox o SET due = coalesce(m.due, now) FROM moved m, clock
WHERE o.line = m.line AND o.destination = m.destination AND o.number > m.number AND o.due IS NOT NULL
  AND CASE WHEN m.due IS NOT NULL THEN o.due < m.due ELSE m.was_waiting AND o.due > now END`

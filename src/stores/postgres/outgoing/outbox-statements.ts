import type { OutgoingEvent } from '../../outgoing/outbox-store.ts'
import { storableText } from '../postgres-text.ts'
import { stepRows } from '../upkeep/sweep-statements.ts'

/**
 * Puts events out: six arrays of them from a parameter on, the first of which has the number of the turn. One behind others that wait
 * is not due before them, so that what cannot be sent yet is not looked at.
 */
const insertFrom = (first: number) => `
  INSERT INTO outbox (destination, line, event_id, type, body, created, due)
  SELECT o.destination, o.line, o.event_id, o.type, o.body, now, greatest(now, (
    SELECT max(e.due) FROM outbox e WHERE e.line = o.line AND e.destination = o.destination AND e.due IS NOT NULL))
  FROM clock, unnest($${first}::bigint[], $${first + 1}::text[], $${first + 2}::text[],
    $${first + 3}::text[], $${first + 4}::text[], $${first + 5}::text[])
    WITH ORDINALITY AS o(turn, destination, line, event_id, type, body, n)
  WHERE o.turn IN (SELECT n FROM kept) ORDER BY o.n`

/** The part of a commit. */
export const putOut = `,
outgoing AS (${insertFrom(18)}
)`

/** The same by itself; the number of each is 1. */
export const putOutAlone = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now), kept AS (SELECT 1 AS n)${insertFrom(1)}`

/** The six arrays, each event with the number of its turn. */
export const columnsOf = (outgoing: readonly (OutgoingEvent & { readonly number: number })[]) => [
  outgoing.map(({ number }) => number),
  outgoing.map(({ destination }) => destination),
  outgoing.map(({ line }) => line),
  outgoing.map(({ eventId }) => eventId),
  outgoing.map(({ type }) => type),
  outgoing.map(({ body }) => storableText(body)),
]

/** $1 destinations, $2 how many of each, $3 for how long. Each is the first of its line that waits. */
export const claimOutgoing = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
heads AS MATERIALIZED (
  SELECT h.number FROM unnest($1::text[], $2::integer[]) AS w(destination, most), LATERAL (
    SELECT o.number FROM outbox o
    WHERE o.destination = w.destination AND o.due <= (SELECT now FROM clock) AND NOT EXISTS (
      SELECT FROM outbox e
      WHERE e.line = o.line AND e.destination = o.destination AND e.number < o.number AND e.due IS NOT NULL)
    ORDER BY o.due, o.number LIMIT w.most FOR UPDATE SKIP LOCKED
  ) AS h
)
UPDATE outbox o SET attempts = o.attempts + 1, due = (SELECT now FROM clock) + $3::bigint
FROM heads h WHERE o.number = h.number
RETURNING o.number, o.destination, o.line, o.event_id AS "eventId", o.type, o.body, o.attempts,
  o.created AS "createdAt"`

/** $1 number, $2 attempts, $3 state, $4 pause in milliseconds, $5 error. Those behind it are due with it, or now that it is gone. */
export const settleOutgoing = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
settled AS (
  UPDATE outbox SET due = CASE WHEN $3::text = 'waiting' THEN now + $4::bigint END,
    settled = CASE WHEN $3 <> 'waiting' THEN now END, is_delivered = $3 = 'delivered', error = $5::text,
    body = CASE WHEN $3 <> 'delivered' THEN body END
  FROM clock WHERE number = $1::bigint AND attempts = $2::integer AND due IS NOT NULL
  RETURNING line, destination, number, due
)
UPDATE outbox o SET due = coalesce(s.due, now) FROM settled s, clock
WHERE o.line = s.line AND o.destination = s.destination AND o.number > s.number
  AND CASE WHEN s.due IS NULL THEN o.due > now ELSE o.due < s.due END`

export const listDeliveries = `SELECT * FROM (
  SELECT number, event_id AS "eventId", type, attempts, created AS "createdAt", due AS "dueAt", settled AS "settledAt", error,
    CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
  FROM outbox WHERE destination = $1 AND number < $2
) AS deliveries WHERE $3::text IS NULL OR state = $3 ORDER BY number DESC LIMIT $4`

export const retryDeliveries = `UPDATE outbox SET due = service_clock(), attempts = 0, settled = NULL
WHERE destination = $1 AND NOT is_delivered AND ($2::bigint IS NULL OR number = $2) AND (NOT $3::boolean OR due IS NOT NULL)
RETURNING number`

export const listEndpoints = 'SELECT name, revision, text, disabled FROM endpoints ORDER BY name'

/** $1 name, $2 text, $3 actor, $4 destination. */
export const putEndpoint = `WITH put AS (
  INSERT INTO endpoints AS e (name, revision, text) VALUES ($1, 1, $2)
  ON CONFLICT (name) DO UPDATE SET revision = e.revision + 1, text = excluded.text, disabled = NULL
  RETURNING revision
), dropped AS (DELETE FROM outbox WHERE destination = $4 AND EXISTS (SELECT FROM put WHERE revision = 1))
INSERT INTO audit (at, actor, action, subject, detail)
SELECT service_clock(), $3, 'put webhook', $1, CASE WHEN revision = 1 THEN 'new' ELSE 'changed' END FROM put`

/** $1 name, $2 actor, $3 destination. */
export const removeEndpoint = `WITH removed AS (DELETE FROM endpoints WHERE name = $1 RETURNING name),
dropped AS (DELETE FROM outbox WHERE destination = $3 AND EXISTS (SELECT FROM removed))
INSERT INTO audit (at, actor, action, subject, detail)
SELECT service_clock(), $2, 'delete webhook', name, '' FROM removed RETURNING number`

export const disableEndpoint = 'UPDATE endpoints SET disabled = $3 WHERE name = $1 AND revision = $2'

/** A step of what has arrived ($1), or was set aside, before $2. */
export const dropOldOutgoing = `DELETE FROM outbox WHERE number IN (
  SELECT number FROM outbox WHERE is_delivered = $1 AND settled < $2
  ORDER BY settled LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING number`

/** A step of what is beyond the latest $1. */
export const dropSurplusOutgoing = `DELETE FROM outbox WHERE number IN (
  SELECT number FROM outbox WHERE number <= (SELECT max(number) FROM outbox) - $1::bigint
  ORDER BY number LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING number`

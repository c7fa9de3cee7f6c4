import { mostCounted } from '../../outgoing/outbox-store.ts'
import { stepRows } from '../upkeep/sweep-statements.ts'

type QueueName = 'outbox' | 'inbox'

/** Columns of what is put, and where each comes from. */
export const putColumns = '(destination, line, event_id, type, body, session_id, created, due)'

/** A row to put of an input `o`. One behind another that waits is not due before it, so that what cannot be sent yet is not looked at. */
export const putRow = (table: QueueName) => `
  SELECT o.destination, o.line, o.event_id, o.type, o.body, o.session_id, now, greatest(now, (
    SELECT e.due FROM ${table} e
    WHERE e.line = o.line AND e.destination = o.destination AND e.due IS NOT NULL ORDER BY e.number DESC LIMIT 1))`

const statementsOf = (table: QueueName) => ({
  /**
   * $1 destinations, $2 how many of each, $3 for how long. Each is the first of its line that waits, which is looked up by itself: a
   * join that was planned while the table was empty compares each event with each.
   */
  claim: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
heads AS MATERIALIZED (
  SELECT h.number FROM unnest($1::text[], $2::integer[]) AS w(destination, most), LATERAL (
    SELECT o.number FROM ${table} o
    WHERE o.destination = w.destination AND o.due <= (SELECT now FROM clock) AND o.number <= (
      SELECT e.number FROM ${table} e
      WHERE e.line = o.line AND e.destination = o.destination AND e.due IS NOT NULL ORDER BY e.number LIMIT 1)
    ORDER BY o.due, o.number LIMIT w.most FOR UPDATE SKIP LOCKED
  ) AS h
)
UPDATE ${table} o SET attempts = o.attempts + 1, due = (SELECT now FROM clock) + $3::bigint
FROM heads h WHERE o.number = h.number
RETURNING o.number, o.destination, o.line, o.event_id AS "eventId", o.type, o.body, o.attempts,
  o.created AS "createdAt"`,

  /**
   * $1 numbers, $2 attempts, $3 states, $4 milliseconds that each waits or those behind it rest, $5 errors, $6 references, $7 whether
   * each is tracked. Those behind one are due with it, or now that it is gone. Each is found by its number alone (hence the sum), not
   * by an index of those that wait.
   */
  settle: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
told AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::boolean[])
    AS t(number, attempts, state, pause, error, reference, is_tracked) ORDER BY number
),
settled AS (
  UPDATE ${table} o SET due = CASE WHEN t.state = 'waiting' THEN now + t.pause END,
    settled = CASE WHEN t.state <> 'waiting' THEN now END, is_delivered = t.state = 'delivered', error = t.error,
    attempts = o.attempts - (t.state = 'waiting' AND t.error IS NULL)::integer, reference = t.reference, status = NULL,
    body = CASE WHEN t.state <> 'delivered' OR t.is_tracked THEN o.body END
  FROM told t, clock WHERE o.number = t.number AND o.attempts = t.attempts AND o.due + 0 IS NOT NULL
  RETURNING o.line, o.destination, o.number, o.due, t.pause
)
UPDATE ${table} o SET due = coalesce(s.due, now + s.pause) FROM settled s, clock
WHERE o.line = s.line AND o.destination = s.destination AND o.number > s.number AND o.due IS NOT NULL
  AND CASE WHEN s.due IS NOT NULL THEN o.due < s.due ELSE s.pause > 0 OR o.due > now END`,

  list: `SELECT * FROM (
  SELECT number, event_id AS "eventId", type, attempts, created AS "createdAt", due AS "dueAt", settled AS "settledAt", error,
    status, CASE WHEN due IS NOT NULL THEN 'waiting' WHEN is_delivered THEN 'delivered' ELSE 'set aside' END AS state
  FROM ${table} WHERE destination = $1 AND number < $2
) AS deliveries WHERE $3::text IS NULL OR state = $3 ORDER BY number DESC LIMIT $4`,

  retry: `UPDATE ${table} SET due = service_clock(), attempts = 0, settled = NULL, status = NULL
WHERE destination = $1 AND NOT is_delivered AND body IS NOT NULL AND ($2::bigint IS NULL OR number = $2)
  AND (NOT $3::boolean OR due IS NOT NULL)
RETURNING number`,

  count: `SELECT count(*) AS waiting FROM (SELECT FROM ${table} WHERE due IS NOT NULL LIMIT ${mostCounted}) AS w`,

  /** A step of what has arrived ($1), or was set aside, before $2. */
  dropOld: `DELETE FROM ${table} WHERE number IN (
  SELECT number FROM ${table} WHERE is_delivered = $1 AND settled < $2
  ORDER BY settled LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING number`,

  /** A step of what is beyond the latest $1; what came in and waits stays. */
  dropSurplus: `DELETE FROM ${table} WHERE number IN (
  SELECT number FROM ${table} WHERE number <= (SELECT max(number) FROM ${table}) - $1::bigint${table === 'inbox' ? ' AND due IS NULL' : ''}
  ORDER BY number LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING number`,
})

/** The statements of each queue. */
export const queueStatements = { outbox: statementsOf('outbox'), inbox: statementsOf('inbox') }

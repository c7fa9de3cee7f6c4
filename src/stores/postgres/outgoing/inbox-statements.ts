import { stepRows } from '../upkeep/sweep-statements.ts'
import { putColumns, putRow, queueStatements } from './queue-statements.ts'

export const inboxStatements = queueStatements('inbox')

/** $1 to $6 messages, $7 how many may wait. Says whether there was room. */
export const putMessages = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
room AS MATERIALIZED (
  SELECT NOT EXISTS (SELECT FROM inbox WHERE due IS NOT NULL OFFSET $7::bigint - 1 LIMIT 1) AS "hasRoom"
),
messages AS (
  INSERT INTO inbox ${putColumns}${putRow('inbox')}
  FROM clock, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    WITH ORDINALITY AS o(destination, line, event_id, type, body, session_id, n)
  WHERE (SELECT "hasRoom" FROM room) ORDER BY o.n
  ON CONFLICT (destination, event_id) DO NOTHING
)
SELECT "hasRoom" FROM room`

/** A step of what was answered or set aside beyond the latest $1. */
export const dropSurplusMessages = `DELETE FROM inbox WHERE number IN (
  SELECT number FROM inbox WHERE number <= (SELECT max(number) FROM inbox) - $1::bigint AND due IS NULL
  ORDER BY number LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING number`

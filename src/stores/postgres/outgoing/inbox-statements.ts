import { putColumns, putRow } from './queue-statements.ts'

/**
 * $1 to $6 messages, $7 how many may wait of all and $8 of a person. Returns the numbers, from 1 on, of those that are new and find no
 * room.
 */
export const putMessages = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
room AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM inbox WHERE due IS NOT NULL OFFSET $7::bigint - 1 LIMIT 1) AS is_there),
input AS MATERIALIZED (
  SELECT o.*, r.is_there AND NOT EXISTS (
    SELECT FROM inbox e WHERE e.line = o.line AND e.destination = o.destination AND e.due IS NOT NULL
    OFFSET $8::bigint - 1 LIMIT 1) AS fits
  FROM room r, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    WITH ORDINALITY AS o(destination, line, event_id, type, body, session_id, n)
),
taken AS (
  INSERT INTO inbox ${putColumns}${putRow('inbox')}
  FROM clock, input o WHERE o.fits ORDER BY o.n
  ON CONFLICT (destination, event_id) DO NOTHING
)
SELECT i.n FROM input i
WHERE NOT i.fits AND NOT EXISTS (
  SELECT FROM inbox k WHERE k.destination = i.destination AND k.event_id = i.event_id)`

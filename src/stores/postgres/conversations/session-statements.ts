import { droppedAnswer } from '../../conversation-store.ts'
import type { SessionRow } from '../../conversations/conversation-table.ts'

/** A hash of an id, which is all that is remembered of sessions that are gone. */
export const hashOf = (column: string) => `sha256(convert_to(${column}, 'UTF8'))`

/** The columns of a session `s` that are read. */
export const columnsOfSessions = `CASE WHEN s.is_preview THEN 'preview' ELSE 'live' END AS kind, s.text,
  s.payload_number AS "payloadNumber", s.payload`

/** A session as these columns have it. */
export interface FoundRow {
  readonly kind: SessionRow['kind']
  readonly text: string
  readonly payloadNumber: number
  readonly payload: string | null
}

export function sessionRowOf({ kind, text, payloadNumber, payload }: FoundRow): SessionRow {
  return { kind, text, payload: payload === null ? undefined : { number: payloadNumber, text: payload } }
}

/** The sessions of ids with the number of the id, each looked up by itself (hence the offset). $2 time to live. */
export const readSessions = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT i.n, ${columnsOfSessions}, s.expires < now + $2::bigint AS "isLagging"
FROM clock, unnest($1::text[]) WITH ORDINALITY AS i(id, n),
  LATERAL (SELECT * FROM sessions WHERE id = i.id OFFSET 0) AS s
WHERE s.expires >= now ORDER BY i.n, s.is_preview`

/** Renews the time to live of a session that was read. $3 time to live, $4 what is added to it. */
export const renewSession = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
UPDATE sessions SET expires = now + $3::bigint + $4::bigint FROM clock
WHERE id = $1 AND is_preview = $2 AND expires >= now`

/** $2 time to live: what has expired is remembered for as long again. */
export const whySessionIsMissing = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT CASE WHEN is_erased THEN 'erased' ELSE 'expired' END AS why FROM gone_sessions, clock
WHERE id_hash = ${hashOf('$1')} AND until >= now
UNION ALL
SELECT 'expired' FROM sessions, clock WHERE id = $1 AND expires < now AND expires + $2::bigint >= now
ORDER BY why LIMIT 1`

/** Renews leases and claims that have not run out, and returns the tokens of the leases. $3 names of claims, $4 lease. */
export const renewLeases = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
claimed AS (
  UPDATE answers a SET deadline = now + $4::bigint FROM clock
  WHERE a.name = ANY($3::text[]) AND a.token = ANY($2::text[]) AND a.text IS NULL
)
UPDATE leases l SET deadline = now + $4 FROM clock
WHERE l.session_id = ANY($1::text[]) AND l.token = ANY($2) AND l.deadline >= now RETURNING l.token`

/** Gives leases and claims back. Where $4, claims stay for those who repeat their requests. */
export const releaseLeases = `WITH input AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS i(id, token, name)
),
leased AS (DELETE FROM leases l USING input i WHERE l.session_id = i.id AND l.token = i.token),
abandoned AS (
  UPDATE answers a SET deadline = 0 FROM input i
  WHERE $4::boolean AND a.name = i.name AND a.token = i.token AND a.text IS NULL
)
DELETE FROM answers a USING input i WHERE NOT $4 AND a.name = i.name AND a.token = i.token AND a.text IS NULL`

/**
 * Erases the live sessions of ids, all answers of them and what they were to send, each by the holder of its lease; the ids stay marked. Returns those
 * that were erased. By arrays, whose elements are looked up in an index whatever the plan took for the size of a table: a join that
 * was planned while the leases were few compares each of them with each id. $1 ids, $2 tokens, of which no two leases have the
 * same, $3 for how long they stay so.
 */
export const eraseSessions = `WITH freed AS (
  DELETE FROM leases WHERE session_id = ANY($1::text[]) AND token = ANY($2::text[]) AND deadline >= service_clock()
  RETURNING session_id
),
gone AS (DELETE FROM sessions WHERE id = ANY(ARRAY(SELECT session_id FROM freed)) AND NOT is_preview),
forgotten AS (DELETE FROM answers WHERE session_id = ANY(ARRAY(SELECT session_id FROM freed))),
unsent AS (DELETE FROM outbox WHERE line = ANY(ARRAY(SELECT session_id FROM freed))),
unsent_by_channels AS (
  DELETE FROM outbox WHERE session_id = ANY(ARRAY(SELECT session_id FROM freed)) AND session_id IS NOT NULL
),
marked AS (
  INSERT INTO gone_sessions (id_hash, is_erased, until)
  SELECT ${hashOf('session_id')}, true, service_clock() + $3::bigint FROM freed ORDER BY 1
  ON CONFLICT (id_hash) DO UPDATE SET is_erased = true, until = excluded.until
)
SELECT session_id AS id FROM freed`

export const putPayload = `UPDATE sessions SET payload_number = payload_number + 1, payload = $3
WHERE id = $1 AND NOT is_preview AND revision = $2 AND expires >= service_clock()
RETURNING payload_number`

/**
 * Sessions that have something to do by themselves, and that nobody is in. The clock is read apart, not joined: by a join
 * all that will be due some time would be read. $1 how many.
 */
export const dueSessions = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT s.id, s.revision FROM sessions s
WHERE s.due <= (SELECT now FROM clock) AND s.expires >= (SELECT now FROM clock) AND NOT EXISTS (
  SELECT FROM leases l WHERE l.session_id = s.id AND l.deadline >= (SELECT now FROM clock))
ORDER BY s.due LIMIT $1`

/** A state that changes with every commit, payload, erasure and release. */
export const watchSessions = `SELECT id, concat_ws(' ',
  (SELECT string_agg(concat_ws(' ', is_preview, revision, payload_number), ',' ORDER BY is_preview)
    FROM sessions s WHERE s.id = i.id),
  (SELECT token FROM leases l WHERE l.session_id = i.id)) AS state
FROM unnest($1::text[]) AS i(id)`

/** The length of a text is in its head: none is read. */
export const measureSessions = `SELECT count(*) AS entries,
  coalesce(sum(octet_length(text)), 0)::bigint AS bytes FROM sessions WHERE is_preview = $1`

export const measureAnswers = `SELECT count(*) AS entries,
  coalesce(sum(octet_length(text)), 0)::bigint AS bytes FROM answers WHERE text <> '${droppedAnswer}'`

import type { Statement } from '../postgres-database.ts'

/** The session of a request that was let in, as columns; locked, so that it is the one of the last commit. */
const foundSessions = `
found AS (
  SELECT t.token, s.is_preview, s.revision, s.text, s.payload_number, s.payload
  FROM taken t JOIN sessions s ON s.id = t.session_id
  WHERE s.expires >= service_clock()
  FOR NO KEY UPDATE OF s
)`

const foundColumns = `f.is_preview AS "isPreview", f.revision, f.text, f.payload_number AS "payloadNumber", f.payload`

/** A claim is over when its answer has expired, and abandoned when the process that made it renews it no more. */
const claimIsOver = 'a.expires < excluded.deadline - $6'
const claimIsTaken = `(${claimIsOver}
    OR (a.text IS NULL AND a.deadline < excluded.deadline - $6 AND a.fingerprint = excluded.fingerprint))`

/**
 * Enters sessions in the order of the arrays: claims the key, takes the lease where no other is in the session or waits for
 * it, else joins the line. An abandoned key of a start keeps the session id that it was claimed for. A turn of what is not
 * there claims nothing. $6 lease and $7 life of an answer in milliseconds, $8 turns that may wait.
 *
 * Leases that look held in the snapshot are left alone: locks on their rows would be taken in no common order.
 * A condition on the outer row alone keeps the planner from hashing all answers to find one.
 */
export const enterSessions: Statement = {
  name: 'enter sessions',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
input AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[], $5::text[])
    WITH ORDINALITY AS i(id, token, needs_session, name, fingerprint, n)
),
present AS MATERIALIZED (
  SELECT i.* FROM input i, clock WHERE NOT i.needs_session
    OR EXISTS (SELECT FROM sessions s WHERE s.id = i.id AND s.expires >= now)
    OR EXISTS (SELECT FROM leases l WHERE l.session_id = i.id AND l.deadline >= now)
    OR EXISTS (SELECT FROM answers a WHERE a.name = i.name AND i.name IS NOT NULL)
),
claimed AS (
  INSERT INTO answers AS a (name, session_id, fingerprint, token, deadline, expires)
  SELECT name, id, fingerprint, token, now + $6::bigint, now + $7::bigint
  FROM present, clock WHERE name IS NOT NULL ORDER BY name
  ON CONFLICT (name) DO UPDATE SET
    session_id = CASE WHEN ${claimIsOver} THEN excluded.session_id ELSE a.session_id END,
    fingerprint = CASE WHEN ${claimIsOver} THEN excluded.fingerprint ELSE a.fingerprint END,
    text = CASE WHEN ${claimIsOver} THEN NULL ELSE a.text END,
    token = CASE WHEN ${claimIsTaken} THEN excluded.token ELSE a.token END,
    deadline = CASE WHEN ${claimIsTaken} THEN excluded.deadline ELSE a.deadline END,
    expires = CASE WHEN ${claimIsTaken} THEN excluded.expires ELSE a.expires END
  RETURNING name, session_id, fingerprint, token, text
),
eligible AS MATERIALIZED (
  SELECT p.n, p.token, coalesce(c.session_id, p.id) AS id FROM present p LEFT JOIN claimed c ON c.name = p.name
  WHERE p.name IS NULL OR c.token = p.token
),
heads AS (
  SELECT DISTINCT ON (id) id, token FROM eligible e, clock
  WHERE NOT EXISTS (SELECT FROM waiting w WHERE w.session_id = e.id AND w.deadline >= now)
    AND NOT EXISTS (SELECT FROM leases l WHERE l.session_id = e.id AND l.deadline >= now)
  ORDER BY id, n
),
taken AS (
  INSERT INTO leases AS l (session_id, token, deadline) SELECT id, token, now + $6 FROM heads, clock ORDER BY id
  ON CONFLICT (session_id) DO UPDATE SET token = excluded.token, deadline = excluded.deadline
  WHERE l.deadline < excluded.deadline - $6
  RETURNING session_id, token
),
queued AS (
  INSERT INTO waiting (session_id, token, deadline)
  SELECT id, token, now + $6 FROM (
    SELECT e.*, now, row_number() OVER (PARTITION BY e.id ORDER BY e.n)
      + (SELECT count(*) FROM waiting w WHERE w.session_id = e.id AND w.deadline >= now) AS place
    FROM eligible e, clock WHERE NOT EXISTS (SELECT FROM taken t WHERE t.token = e.token)
  ) AS late WHERE place <= $8 ORDER BY n
  RETURNING token
),${foundSessions}
SELECT i.token, p.n IS NOT NULL AS "isPresent", t.token IS NOT NULL AS "isTaken", q.token IS NOT NULL AS "isQueued",
  coalesce(t.session_id, i.id) AS id, c.token AS "claimToken", c.fingerprint, c.text AS answer, c.session_id AS "claimId",
  ${foundColumns}
FROM input i
LEFT JOIN present p ON p.n = i.n LEFT JOIN claimed c ON c.name = i.name
LEFT JOIN taken t ON t.token = i.token LEFT JOIN queued q ON q.token = i.token LEFT JOIN found f ON f.token = i.token`,
}

/** Takes the lease of each session that no other is in or waits for; returns the tokens that have one. $3 lease. */
export const takeIdle: Statement = {
  name: 'take idle sessions',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
INSERT INTO leases AS l (session_id, token, deadline)
SELECT i.id, i.token, now + $3::bigint FROM unnest($1::text[], $2::text[]) AS i(id, token), clock
WHERE NOT EXISTS (SELECT FROM waiting w WHERE w.session_id = i.id AND w.deadline >= now)
  AND NOT EXISTS (SELECT FROM leases o WHERE o.session_id = i.id AND o.deadline >= now)
ORDER BY i.id
ON CONFLICT (session_id) DO UPDATE SET token = excluded.token, deadline = excluded.deadline
WHERE l.deadline < excluded.deadline - $3
RETURNING token`,
}

/** Lets in those of the tokens whose turn has come; returns all that still wait or are let in. $2 lease. */
export const pollWaiting: Statement = {
  name: 'poll waiting',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
mine AS MATERIALIZED (
  SELECT w.* FROM waiting w, clock WHERE w.token = ANY($1::text[]) AND w.deadline >= now
),
heads AS (
  SELECT m.* FROM mine m, clock
  WHERE NOT EXISTS (
      SELECT FROM waiting o WHERE o.session_id = m.session_id AND o.ticket < m.ticket AND o.deadline >= now)
    AND NOT EXISTS (SELECT FROM leases l WHERE l.session_id = m.session_id AND l.deadline >= now)
),
taken AS (
  INSERT INTO leases AS l (session_id, token, deadline)
  SELECT session_id, token, now + $2::bigint FROM heads, clock ORDER BY session_id
  ON CONFLICT (session_id) DO UPDATE SET token = excluded.token, deadline = excluded.deadline
  WHERE l.deadline < excluded.deadline - $2
  RETURNING session_id, token
),
gone AS (DELETE FROM waiting w USING taken t WHERE w.token = t.token),${foundSessions}
SELECT m.token, t.token IS NOT NULL AS "isTaken", ${foundColumns}
FROM mine m LEFT JOIN taken t ON t.token = m.token LEFT JOIN found f ON f.token = m.token`,
}

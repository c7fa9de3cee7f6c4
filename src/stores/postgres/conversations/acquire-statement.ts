import type { Acquired, AcquireRequest } from '../../conversations/conversation-table.ts'
import { columnsOf, type Numbered } from '../statement-batch.ts'
import { columnsOfSessions, type FoundRow, sessionRowOf } from './session-statements.ts'

/** A claim is over when its answer has expired, and abandoned when the process that made it renews it no more. */
const claimIsOver = 'a.expires < excluded.deadline - $7'
const claimIsTaken = `(${claimIsOver}
    OR (a.text IS NULL AND a.deadline < excluded.deadline - $7 AND a.fingerprint = excluded.fingerprint))`

/**
 * Claims keys and takes leases, in the order of the arrays, and returns the sessions of those that are taken: locked, so that
 * they are those of the last commit. An abandoned key of a start keeps the session id that it was claimed for. A turn of what is
 * not there claims nothing. $7 lease and $8 life of an answer in milliseconds.
 *
 * Leases that look held in the snapshot are left alone: locks on their rows would be taken in no common order. Who has a key is
 * decided by its row alone, since rows of other tables may be older than it in the same statement.
 * A condition on the outer row alone keeps the planner from hashing all answers to find one, and so does a value that is looked up
 * for each row: a join that was planned while the leases were few would go through all of them.
 */
export const acquireSessions = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
input AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[])
    WITH ORDINALITY AS i(id, token, needs, is_claim_only, name, fingerprint, n)
),
present AS MATERIALIZED (
  SELECT i.* FROM input i, clock WHERE i.needs <> 'session'
    OR EXISTS (SELECT FROM sessions s WHERE s.id = i.id AND s.expires >= now)
    OR EXISTS (SELECT FROM leases l WHERE l.session_id = i.id AND l.deadline >= now)
    OR EXISTS (SELECT FROM answers a WHERE a.name = i.name AND i.name IS NOT NULL)
),
claimed AS (
  INSERT INTO answers AS a (name, session_id, fingerprint, token, deadline, expires)
  SELECT name, id, fingerprint, token, now + $7::bigint, now + $8::bigint
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
wanted AS MATERIALIZED (
  SELECT p.n, p.token, coalesce(c.session_id, p.id) AS id FROM present p LEFT JOIN claimed c ON c.name = p.name
  WHERE NOT p.is_claim_only AND (p.name IS NULL OR c.token = p.token)
),
free AS (
  SELECT DISTINCT ON (id) id, token FROM wanted w, clock
  WHERE coalesce((SELECT l.token FROM leases l WHERE l.session_id = w.id AND l.deadline >= now), w.token) = w.token
  ORDER BY id, n
),
taken AS (
  INSERT INTO leases AS l (session_id, token, deadline) SELECT id, token, now + $7 FROM free, clock ORDER BY id
  ON CONFLICT (session_id) DO UPDATE SET token = excluded.token, deadline = excluded.deadline
  WHERE l.deadline < excluded.deadline - $7 OR l.token = excluded.token
  RETURNING session_id, token
),
entered AS MATERIALIZED (
  SELECT t.* FROM taken t JOIN input i ON i.token = t.token WHERE i.needs <> 'lease'
),
found AS (
  SELECT e.token, ${columnsOfSessions}
  FROM entered e JOIN sessions s ON s.id = e.session_id
  WHERE s.expires >= service_clock()
  FOR NO KEY UPDATE OF s
)
SELECT i.n, CASE WHEN p.n IS NULL THEN 'absent'
    WHEN c.name IS NOT NULL AND c.token IS DISTINCT FROM i.token THEN 'claimed'
    WHEN t.token IS NULL THEN 'busy' ELSE 'acquired' END AS state,
  coalesce(c.session_id, i.id) AS id, c.fingerprint, c.text AS answer,
  f.kind, f.text, f."payloadNumber", f.payload
FROM input i
LEFT JOIN present p ON p.n = i.n LEFT JOIN claimed c ON c.name = i.name
LEFT JOIN taken t ON t.token = i.token LEFT JOIN found f ON f.token = i.token
ORDER BY i.n, f.kind`

/** Its first six parameters. */
export const columnsOfAcquired = (requests: readonly AcquireRequest[]) =>
  columnsOf(
    requests,
    'id',
    'token',
    'needs',
    ({ isClaimOnly = false }) => isClaimOnly,
    ({ claim }) => claim?.name,
    ({ claim }) => claim?.fingerprint,
  )

export type AcquiredRow = { [column in keyof FoundRow]: FoundRow[column] | null } & Numbered & {
    readonly id: string
    readonly state: Acquired['state']
    /** Of what the key was claimed with, where it was. */
    readonly fingerprint: string
    readonly answer: string | null
  }

/** The outcome of a request, by its rows. */
export function acquiredOf(rows: readonly AcquiredRow[]): Acquired {
  const [{ state, id, fingerprint, answer }] = rows as [AcquiredRow]
  if (state === 'acquired') return { state, id, rows: rows.filter(isFound).map(sessionRowOf) }
  if (state === 'busy') return { state, id }
  return state === 'absent' ? { state } : { state, fingerprint, answer: answer ?? undefined }
}

/** Columns that an outer join may have left empty. */
function isFound(row: AcquiredRow): row is AcquiredRow & FoundRow {
  return row.text !== null
}

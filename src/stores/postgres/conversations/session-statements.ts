import { droppedAnswer } from '../../conversation-store.ts'
import type { Statement } from '../postgres-database.ts'
import { hashOf } from './keep-statements.ts'

/** The sessions of ids with the number of the id, each looked up by itself (hence the offset). $2 time to live. */
export const lookAtSessions: Statement = {
  name: 'look at sessions',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT i.n, s.is_preview AS "isPreview", s.revision, s.text, s.payload_number AS "payloadNumber", s.payload,
  s.expires < now + $2::bigint AS "isLagging"
FROM clock, unnest($1::text[]) WITH ORDINALITY AS i(id, n),
  LATERAL (SELECT * FROM sessions WHERE id = i.id OFFSET 0) AS s
WHERE s.expires >= now`,
}

/** Renews the time to live of a session that was looked at. $3 time to live, $4 what is added to it. */
export const renewSession: Statement = {
  name: 'renew session',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
UPDATE sessions SET expires = now + $3::bigint + $4::bigint FROM clock
WHERE id = $1 AND is_preview = $2 AND expires >= now`,
}

/** $2 time to live: what has expired is remembered for as long again. */
export const whySessionIsMissing: Statement = {
  name: 'why session is missing',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT is_erased AS "isErased" FROM gone_sessions, clock WHERE id_hash = ${hashOf('$1')} AND until >= now
UNION ALL
SELECT false FROM sessions, clock WHERE id = $1 AND expires < now AND expires + $2::bigint >= now`,
}

export const receivePayload: Statement = {
  name: 'receive payload',
  text: `UPDATE sessions SET payload_number = payload_number + 1, payload = $3
WHERE id = $1 AND NOT is_preview AND revision = $2 AND expires >= service_clock()
RETURNING payload_number`,
}

/** What changes with every commit, payload and erasure. */
export const watchSessions: Statement = {
  name: 'watch sessions',
  text: `SELECT id, string_agg(concat_ws(' ', is_preview, revision, payload_number), ',' ORDER BY is_preview) AS state
FROM sessions WHERE id = ANY($1::text[]) GROUP BY id`,
}

/** The length of a text is in its head: none is read. */
export const measureSessions: Statement = {
  name: 'measure sessions',
  text: `SELECT count(*) AS entries, coalesce(sum(octet_length(text)), 0)::bigint AS bytes
FROM sessions WHERE is_preview = $1`,
}

export const measureAnswers: Statement = {
  name: 'measure answers',
  text: `SELECT count(*) AS entries, coalesce(sum(octet_length(text)), 0)::bigint AS bytes
FROM answers WHERE text <> '${droppedAnswer}'`,
}

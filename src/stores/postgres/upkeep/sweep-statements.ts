import { droppedAnswer } from '../../conversation-store.ts'
import { hashOf } from '../conversations/session-statements.ts'

/**
 * Rows that a step of erasing takes: so few that no turn which needs one of them waits for long. It stands in the statements as
 * a number: of a limit that is not known when a statement is planned, the server expects a tenth of the table, and reads all.
 */
export const stepRows = 100

/** The process that this returns a row for does the chore of a name; the next time is $2 milliseconds later. */
export const claimChore = `INSERT INTO chores AS c (name, due) VALUES ($1, service_clock() + $2::bigint)
ON CONFLICT (name) DO UPDATE SET due = excluded.due WHERE c.due <= excluded.due - $2
RETURNING name`

/** A chore that took long is not done again for $2 milliseconds. */
export const putOffChore =
  'UPDATE chores SET due = greatest(due, service_clock() + $2::bigint) WHERE name = $1'

export const readClock = 'SELECT service_clock() AS now'

/**
 * Has a step of the live sessions live on whose timers came due before $1, and not before $2, and whose life has ended: every
 * process was away. $3 time to live.
 */
export const reviveSessions = `UPDATE sessions SET expires = $1 + $3::bigint WHERE NOT is_preview AND id IN (
  SELECT id FROM sessions WHERE due BETWEEN $2 AND $1 AND expires < $1 AND NOT is_preview
  ORDER BY due LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING id`

/**
 * A step of those that end before $3, remembered as expired for as long as they would have been found. $1 whether previews, $2
 * whether with turns: the columns of the index before the time; $4 time to live.
 */
export const dropSessions = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
old AS MATERIALIZED (
  SELECT id, is_preview FROM sessions WHERE is_preview = $1 AND has_turns = $2 AND expires < $3
  ORDER BY expires LIMIT ${stepRows} FOR UPDATE SKIP LOCKED
),
dropped AS (
  DELETE FROM sessions s USING old o WHERE s.id = o.id AND s.is_preview = o.is_preview RETURNING s.id, s.expires
)
INSERT INTO gone_sessions AS g (id_hash, is_erased, until)
SELECT ${hashOf('id')}, false, least(expires, now) + $4::bigint FROM dropped, clock ORDER BY 1
ON CONFLICT (id_hash) DO UPDATE SET until = greatest(g.until, excluded.until)
RETURNING until`

export const countSessions = `SELECT count(*) FILTER (WHERE NOT has_turns) AS starts, count(*) AS all FROM sessions
WHERE NOT is_preview`

/** When the first live session ends that is not among the $2 that were left alone for longest. $1 whether with turns. */
export const findSurplusSessions = `SELECT expires AS before FROM sessions
WHERE NOT is_preview AND has_turns = $1 ORDER BY expires OFFSET $2 LIMIT 1`

/** Before when those previews end that are beyond $1 of them or $2 bytes. */
export const findSurplusPreviews = `SELECT max(expires) + 1 AS before FROM (
  SELECT expires, row_number() OVER latest AS place, sum(octet_length(text) + 300) OVER latest AS upto
  FROM sessions WHERE is_preview WINDOW latest AS (ORDER BY expires DESC, id)
) AS ranked WHERE place > $1::bigint OR upto > $2::bigint`

/** Before when those answers expire that are beyond $1 bytes. */
export const findSurplusAnswers = `SELECT max(expires) + 1 AS before FROM (
  SELECT expires, sum(octet_length(text)) OVER (ORDER BY expires DESC, name) AS upto FROM answers
  WHERE text <> '${droppedAnswer}'
) AS ranked WHERE upto > $1::bigint`

/** Empties a step of the answers that expire before $1: that they were given is known until then. */
export const emptyAnswers = `UPDATE answers SET text = '${droppedAnswer}' WHERE name IN (
  SELECT name FROM answers WHERE expires < $1 AND text <> '${droppedAnswer}'
  ORDER BY expires DESC LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING name`

/** Deletes a step of the rows of a table whose time is before $1. */
const dropBefore = (table: string, key: string, time: string) => `DELETE FROM ${table} WHERE ${key} IN (
  SELECT ${key} FROM ${table} WHERE ${time} < $1 ORDER BY ${time} LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING ${key}`

export const dropOldAnswers = dropBefore('answers', 'name', 'expires')
export const dropOldMarks = dropBefore('gone_sessions', 'id_hash', 'until')
export const dropOldRequestCounts = dropBefore('request_counts', 'name', 'expires')
/** Leases that ended processes have left. Readers decide by its deadline all the same. */
export const dropOldLeases = dropBefore('leases', 'session_id', 'deadline')

/** The same of results, with what follows them; by an index of those that were erased or of the others. */
const dropResults = (which: string) => `WITH old AS MATERIALIZED (
  SELECT number FROM results WHERE ${which} AND changed_at < $1
  ORDER BY changed_at LIMIT ${stepRows} FOR UPDATE SKIP LOCKED
),
dropped AS (DELETE FROM results r USING old WHERE r.number = old.number RETURNING r.number),
lines AS (DELETE FROM result_turns t USING dropped d WHERE t.result = d.number)
SELECT number FROM dropped`

/** A step of the persons that were last seen before $2, with what links to them. $1 whether those that were erased. */
export const dropOldContacts = `WITH old AS MATERIALIZED (
  SELECT key FROM contacts WHERE is_erased = $1 AND last_seen < $2
  ORDER BY last_seen LIMIT ${stepRows} FOR UPDATE SKIP LOCKED
),
links AS (DELETE FROM contact_links l USING old WHERE l.contact = old.key)
DELETE FROM contacts c USING old WHERE c.key = old.key RETURNING c.key`

export const dropOldResults = dropResults('NOT is_erased')
export const dropOldErasures = dropResults('is_erased')

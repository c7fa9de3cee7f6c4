import { droppedAnswer } from '../../conversation-store.ts'
import { hashOf } from '../conversations/session-statements.ts'
import type { Statement } from '../postgres-database.ts'
import { stepRows } from './step-rows.ts'

/** The process that this returns a row for does the chore of a name; the next time is $2 milliseconds later. */
export const claimChore: Statement = {
  name: 'claim chore',
  text: `INSERT INTO chores AS c (name, due) VALUES ($1, service_clock() + $2::bigint)
ON CONFLICT (name) DO UPDATE SET due = excluded.due WHERE c.due <= excluded.due - $2
RETURNING name`,
}

/** A chore that took long is not done again for $2 milliseconds. */
export const putOffChore: Statement = {
  name: 'put off chore',
  text: 'UPDATE chores SET due = greatest(due, service_clock() + $2::bigint) WHERE name = $1',
}

/** Deletes sessions that `old` lists, and remembers them as expired for as long as they would have been found. $1 life. */
const forgetOld = `,
dropped AS (
  DELETE FROM sessions s USING old o WHERE s.id = o.id AND s.is_preview = o.is_preview RETURNING s.id, s.expires
)
INSERT INTO gone_sessions AS g (id_hash, is_erased, until)
SELECT ${hashOf('id')}, false, least(max(expires), max(now)) + $1::bigint FROM dropped, clock GROUP BY id ORDER BY 1
ON CONFLICT (id_hash) DO UPDATE SET until = greatest(g.until, excluded.until)
RETURNING until`

const clock = 'WITH clock AS MATERIALIZED (SELECT service_clock() AS now)'

/**
 * $2 whether previews, $3 whether with turns: the columns of the index before the time, which has to be a value and no
 * column of a join to bound what is read of it.
 */
export const dropExpiredSessions: Statement = {
  name: 'drop expired sessions',
  text: `${clock},
old AS MATERIALIZED (
  SELECT id, is_preview FROM sessions
  WHERE is_preview = $2 AND has_turns = $3 AND expires < (SELECT now FROM clock)
  ORDER BY expires LIMIT ${stepRows} FOR UPDATE SKIP LOCKED
)${forgetOld}`,
}

/** The same of those that were left alone for longest, $4 of them and no more than a step. */
export const dropSurplusSessions: Statement = {
  name: 'drop surplus sessions',
  text: `${clock},
old AS MATERIALIZED (
  SELECT id, is_preview FROM (
    SELECT id, is_preview FROM sessions WHERE is_preview = $2 AND has_turns = $3
    ORDER BY expires LIMIT ${stepRows} FOR UPDATE SKIP LOCKED
  ) AS longest LIMIT $4
)${forgetOld}`,
}

/** Previews beyond $2 of them or $3 bytes, those that were left alone for longest. */
export const dropSurplusPreviews: Statement = {
  name: 'drop surplus previews',
  text: `${clock},
ranked AS (
  SELECT id, row_number() OVER latest AS place, sum(octet_length(text) + 300) OVER latest AS upto
  FROM sessions WHERE is_preview WINDOW latest AS (ORDER BY expires DESC, id)
),
old AS MATERIALIZED (
  SELECT s.id, s.is_preview FROM sessions s JOIN ranked r ON r.id = s.id
  WHERE s.is_preview AND (r.place > $2::bigint OR r.upto > $3::bigint)
  LIMIT 5000 FOR UPDATE OF s SKIP LOCKED
)${forgetOld}`,
}

export const countSessions: Statement = {
  name: 'count sessions',
  text: `SELECT count(*) FILTER (WHERE NOT has_turns) AS starts, count(*) AS all FROM sessions WHERE NOT is_preview`,
}

export const dropExpiredAnswers: Statement = {
  name: 'drop expired answers',
  text: `DELETE FROM answers WHERE name IN (
  SELECT name FROM answers WHERE expires < (SELECT service_clock()) ORDER BY expires LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING name`,
}

/** Empties answers beyond $1 bytes, those that were given first: that they were given is known until they expire. */
export const dropSurplusAnswers: Statement = {
  name: 'drop surplus answers',
  text: `UPDATE answers SET text = '${droppedAnswer}' WHERE name IN (
  SELECT name FROM (
    SELECT name, sum(octet_length(text)) OVER (ORDER BY expires DESC, name) AS upto FROM answers
    WHERE text <> '${droppedAnswer}'
  ) AS ranked WHERE upto > $1::bigint LIMIT 5000)
RETURNING name`,
}

export const dropOldMarks: Statement = {
  name: 'drop old marks',
  text: `DELETE FROM gone_sessions WHERE id_hash IN (
  SELECT id_hash FROM gone_sessions WHERE until < (SELECT service_clock()) LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
RETURNING until`,
}

/** What ended processes have left. Readers decide by its deadline all the same. */
export const dropDeadLeases: Statement = {
  name: 'drop dead leases',
  text: 'DELETE FROM leases WHERE deadline < service_clock() - 60000 RETURNING token',
}

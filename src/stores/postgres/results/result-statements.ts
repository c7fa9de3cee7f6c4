import { changeWithoutSession, headCharacters } from '../../codec/result-names.ts'
import { visitColumns } from '../../codec/result-visit.ts'

/** Bytes of lines that may always follow a result before it is written anew. */
const leastRoom = 4096

/**
 * The hour that a change falls in, by the clock that decides when a result is old, whatever that of the process says: an
 * index over the moment itself would change with every turn.
 */
const presentHour = 'service_clock() / 3600000 * 3600000'

/**
 * Parts of a statement that append what `changes` lists, in the order of its `n`, to results, which are made where they are
 * missing and left alone where they were erased. `touched` then holds the results, with the room that is left in each.
 */
export const appendChanges = `
changed AS (
  SELECT flow_id, id, min(now) AS created, sum(octet_length(line)) AS size, max(due) AS due,
    string_agg(said, '' ORDER BY n) AS said, (array_agg(held ORDER BY n DESC) FILTER (WHERE held IS NOT NULL))[1] AS held,
    sum(octet_length(line)) FILTER (WHERE said IS NOT NULL) AS covered,
    ((array_agg(visit ORDER BY n DESC) FILTER (WHERE visit IS NOT NULL))[1])::jsonb AS visit
  FROM changes GROUP BY flow_id, id
),
touched AS (
  INSERT INTO results AS r (flow_id, id, created_at, changed_at, size, room, version, path, cohort, place, asked_at, due_at,
    said, held, covered)
  SELECT flow_id, id, created, ${presentHour}, size, ${leastRoom} - size,
    visit->>0, visit->>1, visit->>2, visit->>3, (visit->>4)::bigint, due, said, held, covered
  FROM changed ORDER BY flow_id, id
  ON CONFLICT (flow_id, id) DO UPDATE SET
    changed_at = excluded.changed_at,
    size = r.size + excluded.size, room = r.room - excluded.size,
    version = coalesce(excluded.version, r.version), path = coalesce(excluded.path, r.path),
    cohort = coalesce(excluded.cohort, r.cohort), place = coalesce(excluded.place, r.place),
    asked_at = coalesce(excluded.asked_at, r.asked_at), due_at = coalesce(excluded.due_at, r.due_at),
    said = r.said || excluded.said, held = coalesce(excluded.held, r.held), covered = r.covered + excluded.covered
  WHERE NOT r.is_erased
  RETURNING number, flow_id, id, room
),
lines AS (
  INSERT INTO result_turns (result, line)
  SELECT t.number, c.line FROM changes c JOIN touched t USING (flow_id, id) ORDER BY c.n
)`

/** Makes results of a flow that are not there, neither erased; those that it has made. Written in one order, so that none waits for another in a circle. */
export const addResults = `INSERT INTO results (flow_id, id, created_at, changed_at, size, room, base, due_at, said, held, covered)
SELECT $1, id, created, ${presentHour}, octet_length(base), greatest(octet_length(base), ${leastRoom}), base, due,
  said, held, CASE WHEN said IS NOT NULL THEN octet_length(base) END
FROM unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[]) AS added (id, created, base, due, said, held)
ORDER BY created, id
ON CONFLICT (flow_id, id) DO NOTHING
RETURNING number`

/** Appends a change that adds nothing to find its result by where that is, once for its key, and returns that one. */
export const appendToExisting = `WITH touched AS (
  UPDATE results SET changed_at = ${presentHour},
    size = size + octet_length($4::text), room = room - octet_length($4::text), covered = covered + octet_length($4::text)
  WHERE flow_id = $1 AND id = $2 AND NOT is_erased
  RETURNING number, room
),
lines AS (
  INSERT INTO result_turns (result, key, line) SELECT number, $3::text, $4::text FROM touched
  ON CONFLICT (result, key) WHERE key IS NOT NULL DO NOTHING
)
SELECT number, room FROM touched`

const wholeColumns = `${visitColumns}, r.number, r.flow_id AS "flowId", r.id, r.created_at AS "createdAt", r.base,
  (SELECT string_agg(t.line, '' ORDER BY t.number) FROM result_turns t WHERE t.result = r.number) AS lines`

export const selectResult = `SELECT ${wholeColumns} FROM results r
WHERE r.flow_id = $1 AND r.id = $2 AND NOT r.is_erased`

/** Goes from flow to flow by the index that results are found by: an index over ids alone would cost every start a write. */
export const resultExists = `WITH RECURSIVE flows AS (
  SELECT min(flow_id) AS id FROM results
  UNION ALL
  SELECT (SELECT min(r.flow_id) FROM results r WHERE r.flow_id > f.id) FROM flows f WHERE f.id IS NOT NULL
)
SELECT EXISTS (
  SELECT FROM flows f CROSS JOIN LATERAL (
    SELECT FROM results r WHERE r.flow_id = f.id AND r.id = $1 AND NOT r.is_erased) found
) AS "exists"`

export const findResults = `SELECT ${wholeColumns} FROM results r
WHERE r.number = ANY($1::bigint[]) AND NOT r.is_erased
ORDER BY r.number DESC`

/** How the last text of a result begins that names its session: of a change, else of what was written anew. */
export const nameColumns = [
  'r.id',
  `left(coalesce((
    SELECT t.line FROM result_turns t
    WHERE t.result = r.number AND t.line <> '' AND t.line !~ '${changeWithoutSession}' ORDER BY t.number DESC LIMIT 1
  ), r.base), ${headCharacters}) AS head`,
]

export const findNames = `SELECT r.number, ${nameColumns.join(', ')} FROM results r
WHERE r.number = ANY($1::bigint[]) AND NOT r.is_erased`

const named = 'unnest($2::text[]) AS i(id)'

/** Waits for turns under way, and holds up those that come; in the order in which turns hold results. */
export const holdResults = `SELECT r.number FROM ${named} JOIN results r ON r.flow_id = $1 AND r.id = i.id
ORDER BY r.id FOR UPDATE OF r`

/** Leaves an erased one of each id behind, also where there was none, and nothing of what it held: a trigger drops what it was found by. */
export const eraseResults = `WITH marked AS (
  INSERT INTO results (flow_id, id, created_at, changed_at, size, room, is_erased)
  SELECT $1, id, 0, service_clock(), 0, 0, true FROM ${named} ORDER BY id
  ON CONFLICT (flow_id, id) DO UPDATE SET
    is_erased = true, changed_at = excluded.changed_at, size = 0, room = 0, base = NULL,
    version = NULL, path = NULL, cohort = NULL, place = NULL, asked_at = NULL, due_at = NULL
  RETURNING number
)
DELETE FROM result_turns WHERE result = ANY(ARRAY(SELECT number FROM marked))`

/** The result, whose row is locked until the transaction ends. */
export const lockResult = `SELECT flow_id AS "flowId", id FROM results
WHERE number = $1 AND NOT is_erased AND room < 0 FOR UPDATE`

/** The same for one that is to be written anew in any case. */
export const lockResultOf = `SELECT number FROM results WHERE flow_id = $1 AND id = $2 AND NOT is_erased FOR UPDATE`

/** The earliest $2 of those of which something has outlived its time, by $1. */
export const outlivedResults = `SELECT flow_id AS "flowId", id FROM results WHERE due_at <= $1 ORDER BY due_at LIMIT $2`

export const setDue = 'UPDATE results SET due_at = $2 WHERE number = $1'

/** Writes a result anew as $2, which is found by $3 and $4. Keys of its lines stay for a while: the change that has one may be sent again. */
export const rebaseResult = `WITH rebased AS (
  UPDATE results SET base = $2, size = octet_length($2), room = greatest(octet_length($2), ${leastRoom}),
    said = $3, held = $4, covered = CASE WHEN $3::text IS NOT NULL THEN octet_length($2) END
  WHERE number = $1
),
keyed AS (
  UPDATE result_turns SET line = '' WHERE result = $1 AND key IS NOT NULL AND line <> ''
)
DELETE FROM result_turns WHERE result = $1 AND (key IS NULL OR number <= (
  SELECT number FROM result_turns WHERE result = $1 AND line = '' ORDER BY number DESC OFFSET 1000 LIMIT 1))`

export const measureResults = `SELECT count(*) AS entries, coalesce(sum(size), 0)::bigint AS bytes FROM results
WHERE NOT is_erased`

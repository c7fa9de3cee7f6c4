import { type TurnFacts, writeFacts } from '../../counts/turn-facts.ts'
import { joinedJson, joinJson } from '../postgres-text.ts'

/** Facts that a step counts. */
export const stepFacts = 1000

/** The part of a commit that keeps what its turns leave to be counted: texts and numbers from a parameter on. */
export const keepFacts = (parameter: number) => `,
facts AS (
  INSERT INTO turn_facts (text)
  SELECT (${joinedJson(parameter)})[f.text] FROM unnest($${parameter + 1}::integer[]) WITH ORDINALITY AS f(text, n)
  WHERE f.text IS NOT NULL AND f.n IN (SELECT n FROM kept) ORDER BY f.n
)`

/** The two parameters: texts, and for each turn the number of its own, or null. Most turns of a flow leave the same. */
export function factColumnsOf(turns: readonly { readonly facts?: TurnFacts | undefined }[]) {
  const numbers = new Map<string, number>()
  const textOf = turns.map(({ facts }) => {
    if (!facts) return null
    const text = writeFacts(facts)
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  })
  return [joinJson([...numbers.keys()]), textOf]
}

/** Takes a step of the facts that nobody else takes: they go with the transaction that counts them. */
export const takeFacts = `DELETE FROM turn_facts WHERE number IN (
  SELECT number FROM turn_facts ORDER BY number LIMIT ${stepFacts} FOR UPDATE SKIP LOCKED)
RETURNING text`

export const firstFacts = 'SELECT text FROM turn_facts ORDER BY number LIMIT 1'

const addFrom = (source: string) => `
  INSERT INTO counts AS c (flow_id, version, hour, kind, name, count) ${source}
  ON CONFLICT (flow_id, hour, version, kind, name) DO UPDATE SET count = c.count + excluded.count`

/** Columns of counts, in the order of their keys: who writes several at once waits for nobody who waits for them. */
export const addCounts = addFrom(`SELECT flow_id, version, hour, kind, name, count
  FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::bigint[])
    AS i(flow_id, version, hour, kind, name, count)
  ORDER BY flow_id, version, hour, kind, name`)

/** Of the same keys those that have come to nothing: paths that all have gone on. */
export const dropEmptyCounts = `DELETE FROM counts c
USING unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[]) AS i(flow_id, version, hour, kind, name)
WHERE c.flow_id = i.flow_id AND c.version = i.version AND c.hour = i.hour AND c.kind = i.kind AND c.name = i.name
  AND c.count = 0`

/** Joins a step of the hours before $1 to days. */
export const joinHours = `WITH joined AS (
  DELETE FROM counts WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM counts WHERE hour < $1 AND hour % 24 <> 0 LIMIT 500 FOR UPDATE SKIP LOCKED))
  RETURNING flow_id, version, hour, kind, name, count
), added AS (${addFrom(`SELECT flow_id, version, hour - hour % 24, kind, name, sum(count) FROM joined
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`)}
)
SELECT hour FROM joined`

/** A step of the counts before $1. */
export const dropOldCounts = `DELETE FROM counts WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM counts WHERE hour < $1 ORDER BY hour LIMIT 500 FOR UPDATE SKIP LOCKED))
RETURNING hour`

export const describeVersion = `INSERT INTO count_versions (flow_id, version, places) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING`

export const findPlaces = 'SELECT version, places FROM count_versions WHERE flow_id = $1'

const within = 'flow_id = $1 AND hour >= $2 AND hour < $3 AND ($4::text IS NULL OR version = $4)'

/**
 * For the transaction of what follows. Planned for any flow and any hours, the server takes them for few, and finds each of a hundred
 * thousand counts by its key. Several of its processes would take the cores that turns need.
 */
export const planForMany = `SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

/** Names differ soonest: versions, compared first, would be the same for most. */
export const sumCounts = `SELECT version, kind, name, sum(count)::bigint AS count,
  coalesce(sum(count) FILTER (WHERE hour < $5::integer), 0)::bigint AS settled
FROM counts WHERE ${within} GROUP BY name, kind, version`

export const pageOfCounts = `SELECT hour, version, kind, name, count FROM counts
WHERE ${within} AND (hour, version, kind, name) > ($5::integer, $6::text, $7::text, $8::text)
ORDER BY hour, version, kind, name LIMIT $9`

import { joinedJson } from './postgres-text.ts'

/** Uses are noted in steps: a definition that is used all the time is written to rarely. */
const useStepMs = 10 * 60 * 1000

/** Keeps a text, or notes its use; returns it as new when it was not there. */
export const putDefinition = `INSERT INTO definitions AS d (hash, body, used_at, was_published)
VALUES ($1, $2, service_clock(), $3)
ON CONFLICT (hash) DO UPDATE SET used_at = excluded.used_at, was_published = d.was_published OR excluded.was_published
  WHERE d.used_at < excluded.used_at - ${useStepMs} OR (excluded.was_published AND NOT d.was_published)
RETURNING xmax = 0 AS "isNew"`

export const getDefinition = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
used AS (
  UPDATE definitions SET used_at = now FROM clock WHERE hash = $1 AND used_at < now - ${useStepMs}
)
SELECT body FROM definitions WHERE hash = $1`

export const getDefinitions = 'SELECT hash, body FROM definitions WHERE hash = ANY($1::text[])'

/** Notes the use of what is published, where that is due; returns those that are there. */
export const useDefinitions = `WITH used AS (
  UPDATE definitions SET used_at = service_clock(), was_published = true
  WHERE hash = ANY($1::text[]) AND (used_at < (SELECT service_clock() - ${useStepMs}) OR NOT was_published)
)
SELECT hash FROM definitions WHERE hash = ANY($1)`

/** Definitions that one statement reads or writes: at a start there are as many as there are flows. */
export const publishedAtOnce = 100

/** Keeps texts of what is published: $1 hashes, $2 texts. */
export const publishDefinitions = `INSERT INTO definitions (hash, body, used_at, was_published)
SELECT hash, body, service_clock(), true FROM unnest($1::text[], ${joinedJson(2)}) AS i(hash, body) ORDER BY hash
ON CONFLICT (hash) DO UPDATE SET used_at = excluded.used_at, was_published = true`

/** Drafts that exceed $1 bytes go, the least recently used first; the one of hash $2 stays. */
export const dropSurplusDrafts = `DELETE FROM definitions WHERE hash <> $2 AND hash IN (
  SELECT hash FROM (
    SELECT hash, sum(size) OVER (ORDER BY used_at DESC, hash) AS upto FROM definitions WHERE NOT was_published
  ) AS drafts WHERE upto > $1::bigint)`

/**
 * Takes a step of erasing definitions that were not used for $1 milliseconds, that no version of a flow has and that no
 * session names. Sessions name them within their texts.
 */
export const dropUnnamedDefinitions = `WITH candidates AS MATERIALIZED (
  SELECT hash FROM definitions d WHERE used_at < service_clock() - $1::bigint
    AND NOT EXISTS (SELECT FROM flow_versions v WHERE v.hash = d.hash)
  ORDER BY used_at LIMIT 20
),
named AS MATERIALIZED (
  SELECT DISTINCT c.hash FROM sessions s JOIN candidates c ON strpos(s.text, c.hash) > 0
)
DELETE FROM definitions d USING candidates c
WHERE d.hash = c.hash AND NOT EXISTS (SELECT FROM named n WHERE n.hash = c.hash)
  AND d.used_at < service_clock() - $1`

import { writeMemory } from '../../codec/contact-memory.ts'
import { type ContactWrite, mostMemoryBytes } from '../../contact-store.ts'
import { joinedJson, joinJson } from '../postgres-text.ts'
import { columnsOf, numbersOf } from '../statement-batch.ts'

/**
 * Parts of a statement that writes turns, for those that are held with a person: the persons that are met, those left out that were
 * erased since they were read. $25 to $29 persons by the number of their turn, of which no two are the same, $30 to $32 their links.
 */
export const meetContacts = `
persons AS MATERIALIZED (
  SELECT * FROM unnest($25::bigint[], $26::text[], $27::bigint[], ${joinedJson(28)}, ${joinedJson(29)})
    AS p(turn, key, read_at, profile, memory)
),
met AS (
  INSERT INTO contacts AS c (key, profile, memory, revision, first_seen, last_seen, is_erased)
  SELECT p.key, p.profile, jsonb_strip_nulls(coalesce(p.memory, '{}')::jsonb)::text, (p.memory IS NOT NULL)::int, now, now, false
  FROM persons p JOIN input i ON i.n = p.turn, clock
  WHERE i.token IS NULL OR EXISTS (SELECT FROM freed f WHERE f.n = i.n) ORDER BY p.key
  ON CONFLICT (key) DO UPDATE SET
    profile = coalesce(excluded.profile, c.profile), is_erased = false,
    first_seen = CASE WHEN c.is_erased THEN excluded.first_seen ELSE c.first_seen END,
    last_seen = CASE WHEN excluded.profile IS NULL AND excluded.revision > 0 THEN c.last_seen ELSE excluded.last_seen END,
    (memory, revision) = (
      SELECT CASE WHEN fits THEN joined ELSE c.memory END, c.revision + CASE WHEN fits THEN excluded.revision ELSE 0 END
      FROM (SELECT joined, octet_length(joined) <= ${mostMemoryBytes} AS fits FROM (
        SELECT jsonb_strip_nulls(c.memory::jsonb || coalesce(p.memory, '{}')::jsonb)::text AS joined
        FROM persons p WHERE p.key = excluded.key) AS j) AS f)
  WHERE coalesce(c.erased_at, 0) < (SELECT p.read_at FROM persons p WHERE p.key = excluded.key)
  RETURNING key
),`

/** Whether the person of a turn `i` was met, where it has one. */
export const isContactMet = `NOT EXISTS (SELECT FROM persons p WHERE p.turn = i.n AND p.key NOT IN (SELECT key FROM met))`

export const linkContacts = `,
linked AS (
  INSERT INTO contact_links (contact, session_id, flow_id, result_id, at)
  SELECT p.key, k.id, l.flow_id, l.result_id, now
  FROM unnest($30::bigint[], $31::text[], $32::text[]) AS l(turn, flow_id, result_id)
    JOIN persons p ON p.turn = l.turn JOIN kept k ON k.n = l.turn, clock
  ON CONFLICT (contact, session_id, flow_id, result_id) DO NOTHING
)`

/** The parameters $25 to $32. */
export function contactColumnsOf(turns: readonly { readonly contact?: ContactWrite | undefined }[]) {
  const contacts = turns.flatMap(({ contact }) => contact ?? [])
  const links = contacts.flatMap(({ links }) => links)
  return [
    numbersOf(turns, ({ contact }) => contact && 1),
    ...columnsOf(contacts, 'key', 'readAt'),
    joinJson(contacts.map(({ profile }) => profile)),
    joinJson(contacts.map(({ memory }) => memory && writeMemory(memory))),
    numbersOf(turns, ({ contact }) => contact?.links.length),
    ...columnsOf(links, 'flowId', 'resultId'),
  ]
}

/** $1 keys; a row for each. */
export const findContacts = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
SELECT w.n, now AS "readAt", c.*
FROM clock, unnest($1::text[]) WITH ORDINALITY AS w(key, n) LEFT JOIN LATERAL (
  SELECT is_erased AS "isErased", profile, memory, revision, first_seen AS "firstSeen", last_seen AS "lastSeen"
  FROM contacts WHERE key = w.key OFFSET 0
) AS c ON true`

/** $1 keys, $2 numbers before which, $3 flows or null, $4 how many of each. */
export const listLinks = `SELECT w.n, l.*
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::integer[]) WITH ORDINALITY AS w(key, before, flow_id, most, n), LATERAL (
  SELECT number, session_id AS "sessionId", flow_id AS "flowId", result_id AS "resultId", at
  FROM contact_links WHERE contact = w.key AND number < w.before AND (w.flow_id IS NULL OR flow_id = w.flow_id)
  ORDER BY number DESC LIMIT w.most
) AS l ORDER BY w.n, l.number DESC`

/**
 * Waits for the turns that write the person, and is what those that come later meet. What came in from the person goes along, and what
 * was to be sent.
 */
export const eraseContact = `WITH unsent AS (DELETE FROM outbox WHERE line = $1),
unread AS (DELETE FROM inbox WHERE line = $1)
INSERT INTO contacts (key, memory, revision, first_seen, last_seen, is_erased, erased_at)
SELECT $1, '{}', 0, now, now, true, now FROM (SELECT service_clock() AS now) AS clock
ON CONFLICT (key) DO UPDATE SET profile = NULL, memory = '{}', revision = 0, is_erased = true,
  last_seen = service_clock(), erased_at = service_clock()`

export const unlinkContact = 'DELETE FROM contact_links WHERE contact = $1 AND number = ANY($2::bigint[])'

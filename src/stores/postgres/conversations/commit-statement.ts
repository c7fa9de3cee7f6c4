import { writeChange } from '../../codec/result-codec.ts'
import { dueAfter } from '../../codec/result-retention.ts'
import type { TurnWrite } from '../../conversations/conversation-table.ts'
import type { ResultUpdate } from '../../result-store.ts'
import { contactColumnsOf, isContactMet, linkContacts, meetContacts } from '../contacts/contact-statements.ts'
import { factColumnsOf, keepFacts } from '../counts/count-statements.ts'
import { outboxColumnsOf, putOut } from '../outgoing/outbox-statements.ts'
import { joinedJson, joinJson } from '../postgres-text.ts'
import { searchedColumns } from '../results/result-row.ts'
import { appendChanges } from '../results/result-statements.ts'
import { columnsOf, numbersOf } from '../statement-batch.ts'
import { hashOf } from './session-statements.ts'

/**
 * Writes turns, each with its session, its results and its answer or not at all; returns those that were written, and the
 * results that have no room left. A turn without a token is a start that needs no lease. Payloads up to a number are
 * dropped. The end of a session moves only when it lags, in an index that most turns then leave alone. One that has
 * something to do by itself lives for its time from then on.
 *
 * $1 to $9 turns, $10 to $14 changes of results by the number of their turn, $15 time to live, $16 what is added to it,
 * $17 life of an answer, in milliseconds. The last five are how far conversations have come, when something of their results
 * has outlived its time and what these are found by, by the number of the change, and what is to be counted, by that of the turn.
 */
const commitWith = ({
  first = '',
  condition = 'true',
  more = '',
  visits = 18,
}) => `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
input AS MATERIALIZED (
  SELECT *, revision = 1 AS is_new, coalesce(due_in, 0) + $15::bigint AS ttl
  FROM unnest($1::text[], $2::boolean[], $3::text[], $4::bigint[], ${joinedJson(5)}, $6::bigint[], $7::text[], $8::text[],
      $9::bigint[])
    WITH ORDINALITY AS i(id, is_preview, token, revision, text, dropped_payload, name, answer, due_in, n)
),
freed AS (
  DELETE FROM leases l USING input i, clock
  WHERE l.session_id = i.id AND l.token = i.token AND l.deadline >= now RETURNING i.n
),${first}
allowed AS MATERIALIZED (
  SELECT i.* FROM input i
  WHERE (i.token IS NULL OR EXISTS (SELECT FROM freed f WHERE f.n = i.n)) AND ${condition}
),
updated AS (
  UPDATE sessions s SET revision = a.revision, text = a.text, has_turns = true,
    expires = CASE WHEN s.expires < now + a.ttl THEN now + a.ttl + $16::bigint ELSE s.expires END,
    due = now + a.due_in,
    payload = CASE WHEN s.payload_number > a.dropped_payload THEN s.payload END
  FROM allowed a, clock
  WHERE NOT a.is_new AND s.id = a.id AND s.is_preview = a.is_preview AND s.revision = a.revision - 1
  RETURNING a.n
),
inserted AS (
  INSERT INTO sessions AS s (id, is_preview, revision, expires, due, has_turns, text)
  SELECT a.id, a.is_preview, a.revision, now + a.ttl + $16, now + a.due_in, false, a.text FROM allowed a, clock
  WHERE a.is_new AND (a.is_preview OR NOT EXISTS (
    SELECT FROM gone_sessions g WHERE g.id_hash = ${hashOf('a.id')} AND g.is_erased))
  ORDER BY a.id, a.is_preview
  ON CONFLICT (id, is_preview) DO UPDATE SET revision = excluded.revision, expires = excluded.expires,
    due = excluded.due, has_turns = false, text = excluded.text, payload = NULL
  WHERE s.expires < (SELECT now FROM clock)
  RETURNING s.id, s.is_preview
),
kept AS MATERIALIZED (
  SELECT a.* FROM allowed a
  WHERE EXISTS (SELECT FROM updated u WHERE u.n = a.n)
    OR (a.is_new AND EXISTS (SELECT FROM inserted i WHERE i.id = a.id AND i.is_preview = a.is_preview))
),
settled AS (
  UPDATE answers a SET text = k.answer, token = NULL, deadline = 0, expires = now + $17::bigint
  FROM kept k, clock WHERE a.name = k.name AND a.token = k.token AND k.answer IS NOT NULL
),
dropped AS (
  DELETE FROM answers a USING kept k WHERE a.name = k.name AND a.token = k.token AND k.answer IS NULL
),
changes AS MATERIALIZED (
  SELECT c.flow_id, c.id, c.now, c.line, c.visit, c.due, c.said, c.held, c.n
  FROM unnest($10::bigint[], $11::text[], $12::text[], $13::bigint[], ${joinedJson(14)}, ${joinedJson(visits)},
    $${visits + 1}::bigint[], $${visits + 2}::text[], $${visits + 3}::text[])
    WITH ORDINALITY AS c(turn, flow_id, id, now, line, visit, due, said, held, n)
  WHERE c.turn IN (SELECT n FROM kept)
),${appendChanges}${more}${keepFacts(visits + 4)}
SELECT n AS kept, NULL::bigint AS full FROM kept UNION ALL SELECT NULL, number FROM touched WHERE room < 0`

export const commitTurns = commitWith({})

/** The same for turns of which some put events out. */
const commitOutgoing = commitWith({ more: putOut, visits: 25 })

/** The same for turns of which some leave something of a person, and put events out or not. */
const commitWithContacts = commitWith({
  first: meetContacts,
  condition: isContactMet,
  more: putOut + linkContacts,
  visits: 33,
})

interface CommitTimes {
  readonly ttlMs: number
  readonly slackMs: number
  readonly answerMs: number
}

/** The statement that writes turns, with its parameters. */
export function commitOf(turns: readonly TurnWrite[], { ttlMs, slackMs, answerMs }: CommitTimes) {
  const updates = turns.flatMap(({ results }) => results)
  const outgoing = turns.flatMap(({ outgoing = [] }) => outgoing)
  const isMet = turns.some(({ contact }) => contact)
  const isSending = outgoing.length > 0
  const values = [
    ...columnsOf(turns, 'id', ({ kind }) => kind === 'preview', 'token', 'revision'),
    joinJson(turns.map(({ text }) => text)),
    ...columnsOf(turns, 'droppedPayload', 'claim', 'answer', 'dueIn'),
    numbersOf(turns, ({ results }) => results.length),
    ...columnsOf(updates, 'flowId', 'id', 'now'),
    joinJson(updates.map(writeChange)),
    ttlMs,
    slackMs,
    answerMs,
    ...(isSending || isMet
      ? [numbersOf(turns, ({ outgoing }) => outgoing?.length), ...outboxColumnsOf(outgoing)]
      : []),
    ...(isMet ? contactColumnsOf(turns) : []),
    joinJson(updates.map(writtenVisit)),
    ...columnsOf(updates, dueAfter),
    ...searchedColumns(updates),
    ...factColumnsOf(turns),
  ]
  return { statement: isMet ? commitWithContacts : isSending ? commitOutgoing : commitTurns, values }
}

function writtenVisit({ visit }: ResultUpdate): string | undefined {
  if (!visit) return undefined
  const { version, path, cohort, place, askedAt } = visit
  // Half a character, as a cut may leave it, is nothing that a jsonb takes.
  return JSON.stringify([version, path, cohort, place.toWellFormed(), askedAt])
}

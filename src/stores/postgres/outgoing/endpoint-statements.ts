import { type EndpointKind, tableOfKind } from '../../outgoing/endpoint-table.ts'

/** The statements of a kind of endpoints. $1 name; null stands for what it has no inbox of. */
export function endpointStatements(kind: EndpointKind) {
  const table = tableOfKind[kind]
  return {
    list: `SELECT name, revision, text, disabled FROM ${table} ORDER BY name`,

    /** Lets one process at a time put another: a statement counts those alone that were there when it began. */
    lock: `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,

    /** $2 text, $3 actor, $4 destination, $5 that of its inbox, $6 how many there may be. */
    put: `WITH put AS (
  INSERT INTO ${table} AS e (name, revision, text)
  SELECT $1, 1, $2 WHERE (SELECT count(*) FROM ${table} WHERE name <> $1) < $6
  ON CONFLICT (name) DO UPDATE SET revision = e.revision + 1, text = excluded.text, disabled = NULL
  RETURNING revision
), unsent AS (DELETE FROM outbox WHERE destination = $4 AND EXISTS (SELECT FROM put WHERE revision = 1)),
unread AS (DELETE FROM inbox WHERE destination = $5::text AND EXISTS (SELECT FROM put WHERE revision = 1))
INSERT INTO audit (at, actor, action, subject, detail)
SELECT service_clock(), $3, 'put ${kind}', $1, CASE WHEN revision = 1 THEN 'new' ELSE 'changed' END FROM put
RETURNING number`,

    /** $2 actor, $3 destination, $4 that of its inbox. */
    remove: `WITH removed AS (DELETE FROM ${table} WHERE name = $1 RETURNING name),
unsent AS (DELETE FROM outbox WHERE destination = $3 AND EXISTS (SELECT FROM removed)),
unread AS (DELETE FROM inbox WHERE destination = $4::text AND EXISTS (SELECT FROM removed))
INSERT INTO audit (at, actor, action, subject, detail)
SELECT service_clock(), $2, 'delete ${kind}', name, '' FROM removed RETURNING number`,

    /** $2 revision, $3 why. */
    disable: `UPDATE ${table} SET disabled = $3 WHERE name = $1 AND revision = $2`,
  }
}

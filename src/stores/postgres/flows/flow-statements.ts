const entries = `SELECT f.public_id AS "publicId", f.version, v.hash, v.published_at AS "publishedAt",
  v.published_by AS "publishedBy", f.is_closed AS "isClosed", f.is_archived AS "isArchived"
FROM flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.version`

export const listFlows = `${entries} ORDER BY f.public_id`

export const findFlow = `${entries} WHERE f.id = $1`

export const listVersions = `SELECT version, hash, published_at AS "publishedAt",
  published_by AS "publishedBy" FROM flow_versions WHERE flow_id = $1 ORDER BY version DESC`

/**
 * Lets one process at a time change flows. Their changes are then seen in the order of their numbers: a process that has
 * seen one has seen all before it.
 */
export const lockFlows = `SELECT pg_advisory_xact_lock(hashtextextended('flow catalogue', 0))`

/** A flow as it is, and whether it has the version $2. */
export const flowBefore = `SELECT f.version, f.last_version AS "lastVersion", f.is_closed AS "isClosed",
  f.is_archived AS "isArchived",
  (SELECT hash FROM flow_versions v WHERE v.flow_id = f.id AND v.version = f.version) AS hash,
  EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id AND v.version = $2) AS "hasTarget"
FROM flows f WHERE f.id = $1`

export const putFlow = `INSERT INTO flows (id, public_id, version, last_version, is_closed, is_archived)
VALUES ($1, $1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, last_version = excluded.last_version,
  is_closed = excluded.is_closed, is_archived = excluded.is_archived, changed = nextval('flow_changes')`

export const putVersion = `INSERT INTO flow_versions (flow_id, version, hash, published_at, published_by)
VALUES ($1, $2, $3, service_clock(), $4)`

/** Turns may be under way that have looked the flow up: its definitions go later. */
export const removeVersions = `WITH removed AS (DELETE FROM flow_versions WHERE flow_id = $1 RETURNING hash)
UPDATE definitions SET used_at = service_clock() WHERE hash IN (SELECT hash FROM removed)`

/** Says who did what, and lets other processes look. */
export const announceChange = `WITH row AS (
  INSERT INTO audit (at, actor, action, subject, detail) VALUES (service_clock(), $1, $2, $3, $4)
)
SELECT pg_notify('flow_changes', '')`

export const noteInAudit =
  'INSERT INTO audit (at, actor, action, subject, detail) VALUES (service_clock(), $1, $2, $3, $4)'

export const listAudit = `SELECT number, at, actor, action, subject, detail FROM audit
WHERE number < $1 ORDER BY number DESC LIMIT $2`

import type { Statement } from '../postgres-database.ts'

/** Lets one process at a time decide whether there is room. */
export const lockUploads: Statement = {
  name: 'lock uploads',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('uploads', 0))`,
}

/** What the files of all take together, and those of the owner $1. */
export const sumUploads: Statement = {
  name: 'sum uploads',
  text: `
SELECT count(*) AS files, coalesce(sum(bytes), 0)::bigint AS bytes,
  count(*) FILTER (WHERE owner = $1) AS "ownFiles",
  coalesce(sum(bytes) FILTER (WHERE owner = $1), 0)::bigint AS "ownBytes"
FROM uploads`,
}

export const putUpload: Statement = {
  name: 'put upload',
  text: `
INSERT INTO uploads (owner, name, bytes, at) VALUES ($1, $2, $3, service_clock())
ON CONFLICT (owner, name) DO UPDATE SET bytes = excluded.bytes, at = excluded.at`,
}

export const removeUpload: Statement = {
  name: 'remove upload',
  text: 'DELETE FROM uploads WHERE owner = $1 AND name = $2',
}

/** Counts files that are there; those that are counted stay as they are. */
export const adoptUploads: Statement = {
  name: 'adopt uploads',
  text: `
INSERT INTO uploads (owner, name, bytes, at)
SELECT owner, name, bytes, service_clock() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS found (owner, name, bytes)
ON CONFLICT (owner, name) DO NOTHING`,
}

/** Counts no longer what is not among the files that are there, unless it may just be coming: $3 milliseconds. */
export const forgetUploads: Statement = {
  name: 'forget uploads',
  text: `
DELETE FROM uploads WHERE at < service_clock() - $3::bigint
AND (owner, name) NOT IN (SELECT owner, name FROM unnest($1::text[], $2::text[]) AS found (owner, name))`,
}

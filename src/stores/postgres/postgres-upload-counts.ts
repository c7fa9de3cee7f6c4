import { comingMs, roomIn, type SharedUploadCounts, type UploadSums } from '../upload-counts.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { columnsOf } from './statement-batch.ts'

/** Lets one process at a time decide whether there is room. */
const lockUploads = `SELECT pg_advisory_xact_lock(hashtextextended('uploads', 0))`

/** The bytes of the files of all together, and those of the owner $1. */
const sumUploads = `SELECT count(*) AS files, coalesce(sum(bytes), 0)::bigint AS bytes,
  count(*) FILTER (WHERE owner = $1) AS "ownFiles",
  coalesce(sum(bytes) FILTER (WHERE owner = $1), 0)::bigint AS "ownBytes"
FROM uploads`

const putUpload = `INSERT INTO uploads (owner, name, bytes, at) VALUES ($1, $2, $3, service_clock())
ON CONFLICT (owner, name) DO UPDATE SET bytes = excluded.bytes, at = excluded.at`

const removeUpload = 'DELETE FROM uploads WHERE owner = $1 AND name = $2'

/** Counts files that are there; those that are counted stay as they are. */
const adoptUploads = `INSERT INTO uploads (owner, name, bytes, at)
SELECT owner, name, bytes, service_clock() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS found (owner, name, bytes)
ON CONFLICT (owner, name) DO NOTHING`

/** Counts no longer what is not among the files that are there, unless it may just be coming: $3 milliseconds. */
const forgetUploads = `DELETE FROM uploads WHERE at < service_clock() - $3::bigint
AND (owner, name) NOT IN (SELECT owner, name FROM unnest($1::text[], $2::text[]) AS found (owner, name))`

/** Files that one statement counts. */
const chunk = 5000

/** Counts uploads in the database, for all processes that mount one folder. */
export function createPostgresUploadCounts({
  query,
  transaction,
}: Pick<PostgresDatabase, 'query' | 'transaction'>): SharedUploadCounts {
  return {
    claim: ({ owner, name, bytes }, limits) =>
      transaction(async (within) => {
        await within(lockUploads)
        const [sums] = await within<UploadSums>(sumUploads, [owner])
        const room = roomIn(sums, bytes, limits)
        if (room === 'enough') await within(putUpload, [owner, name, bytes])
        return room
      }),
    async roomFor(owner, bytes, limits) {
      const [sums] = await transaction((within) => within<UploadSums>(sumUploads, [owner]))
      return roomIn(sums, bytes, limits)
    },
    async release(owner, name) {
      await query(removeUpload, [owner, name])
    },
    async reconcile(found) {
      for (let from = 0; from < found.length; from += chunk) {
        const part = found.slice(from, from + chunk)
        await transaction((within) => within(adoptUploads, columnsOf(part, 'owner', 'name', 'bytes')))
      }
      await transaction((within) => within(forgetUploads, [...columnsOf(found, 'owner', 'name'), comingMs]))
    },
  }
}

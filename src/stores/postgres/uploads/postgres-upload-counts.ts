import type { CountedUpload, SharedUploadCounts, UploadLimits } from '../../upload-counts.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import {
  adoptUploads,
  forgetUploads,
  lockUploads,
  putUpload,
  removeUpload,
  sumUploads,
} from './upload-statements.ts'

interface Sums {
  readonly files: number
  readonly bytes: number
  readonly ownFiles: number
  readonly ownBytes: number
}

/** Files that one statement counts. */
const chunk = 5000

/** A file that is counted has its place soon after; nothing takes longer. */
const comingMs = 60 * 60 * 1000

/** Counts uploads in the database, for all processes that mount one folder. */
export function createPostgresUploadCounts({
  query,
  transaction,
}: Pick<PostgresDatabase, 'query' | 'transaction'>): SharedUploadCounts {
  return {
    claim: ({ owner, name, bytes }, limits) =>
      transaction(async (within) => {
        await within(lockUploads)
        const [sums] = await within<Sums>(sumUploads, [owner])
        const room = roomIn(sums, bytes, limits)
        if (room === 'enough') await within(putUpload, [owner, name, bytes])
        return room
      }),
    async roomFor(owner, bytes, limits) {
      const [sums] = await transaction((within) => within<Sums>(sumUploads, [owner]))
      return roomIn(sums, bytes, limits)
    },
    async release(owner, name) {
      await query(removeUpload, [owner, name])
    },
    async reconcile(found) {
      for (let from = 0; from < found.length; from += chunk) {
        const part = found.slice(from, from + chunk)
        await transaction((within) =>
          within(adoptUploads, [...namesOf(part), part.map(({ bytes }) => bytes)]),
        )
      }
      await transaction((within) => within(forgetUploads, [...namesOf(found), comingMs]))
    },
  }
}

function namesOf(uploads: readonly CountedUpload[]): readonly [string[], string[]] {
  return [uploads.map(({ owner }) => owner), uploads.map(({ name }) => name)]
}

function roomIn(sums: Sums | undefined, bytes: number, limits: UploadLimits) {
  const { files = 0, bytes: used = 0, ownFiles = 0, ownBytes = 0 } = sums ?? {}
  if (ownFiles + 1 > limits.ownerFiles || ownBytes + bytes > limits.ownerBytes) return 'owner full'
  return used + bytes + (files + 1) * limits.bytesPerFile > limits.totalBytes ? 'full' : 'enough'
}

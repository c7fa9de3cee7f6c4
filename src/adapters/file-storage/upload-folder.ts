import { join, relative } from 'node:path'
import type { CountedUpload, SharedUploadCounts } from '../../ports/known-types.ts'
import { createDiskQuota, createOwnerQuotas } from './disk-quota.ts'
import { createErasedOwners } from './erased-owners.ts'
import { eraseFile, type FoundFile, sumSizes } from './file-paths.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { type UploadBounds, uploadLimits } from './upload-limits.ts'

/** State shared by all operations on one folder. */
export type UploadFolder = ReturnType<typeof createUploadFolder>

/** Opens the state of a folder. `counts` counts for all processes that share it: those of this one then have no bound. */
export function createUploadFolder(path: string, bounds: UploadBounds, counts?: SharedUploadCounts) {
  const pathOf = (owner: string) => join(path, owner)
  const limits = uploadLimits(bounds)
  const { totalBytes, bytesPerFile, ownerFiles: files, ownerBytes: bytes } = limits
  const space = createDiskQuota({ bytes: counts ? Infinity : totalBytes, bytesPerFile })
  const spaces = createOwnerQuotas({ files, bytes }, (owner) => sumSizes(pathOf(owner)))
  return {
    path,
    space,
    spaces,
    erased: createErasedOwners(path),
    /** Counts of all processes together, within the bounds of the folder. */
    shared: counts && {
      claim: (file: CountedUpload) => counts.claim(file, limits),
      roomFor: (owner: string, bytes: number) => counts.roomFor(owner, bytes, limits),
      release: counts.release,
      reconcile: counts.reconcile,
    },
    /** Runs work on the files of an owner, one at a time in this process. */
    inTurn: createKeyedMutex(),
    pathOf,
    /** Erases a file of an owner and counts it no longer. */
    async erase(owner: string, { path: file, isPart }: FoundFile): Promise<void> {
      const size = await eraseFile(file)
      if (size === undefined || isPart) return
      space.remove(size)
      spaces.remove(owner, size)
      // A release that fails is made up for when a process starts.
      await counts?.release(owner, nameIn(pathOf(owner), file)).catch(() => undefined)
    },
  }
}

/** Name under which a file is counted. */
export function nameIn(ownFolder: string, path: string): string {
  return relative(ownFolder, path).replaceAll('\\', '/')
}

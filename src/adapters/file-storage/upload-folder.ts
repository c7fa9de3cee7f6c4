import { join, relative } from 'node:path'
import type { CountedUpload, SharedUploadCounts } from '../../ports/known-types.ts'
import { createDiskQuota, createOwnerQuotas } from './disk-quota.ts'
import { createErasedOwners } from './erased-owners.ts'
import { eraseFile, type FoundFile, sumSizes } from './file-paths.ts'

/** State shared by all operations on one folder. */
export type UploadFolder = ReturnType<typeof createUploadFolder>

export interface UploadBounds {
  /** Bytes of all files together, each with its overhead. */
  readonly totalBytes: number
  readonly fileBytes: number
}

/** Overhead of a file besides its content: empty files fill a disk too. */
const bytesPerFile = 4096

/** Files of one conversation: more would only fill the disk. So many of full size make the bound in bytes. */
const filesOfOwner = 20
const fullFilesOfOwner = 5

/** Opens the state of a folder. `counts` counts for all processes that share it: those of this one then have no bound. */
export function createUploadFolder(
  path: string,
  { totalBytes, fileBytes }: UploadBounds,
  counts?: SharedUploadCounts,
) {
  const pathOf = (owner: string) => join(path, owner)
  const space = createDiskQuota({ bytes: counts ? Infinity : totalBytes, bytesPerFile })
  const ownerBounds = { files: filesOfOwner, bytes: fullFilesOfOwner * fileBytes }
  const spaces = createOwnerQuotas(ownerBounds, (owner) => sumSizes(pathOf(owner)))
  const limits = { totalBytes, bytesPerFile, ownerFiles: ownerBounds.files, ownerBytes: ownerBounds.bytes }
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

/** Runs work under one name one at a time, however the work before it ended. A name without work takes no memory. */
function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const done = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, done)
    try {
      return await done
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}

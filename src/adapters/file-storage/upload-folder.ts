import { join, relative } from 'node:path'
import type { CountedUpload, SharedUploadCounts, UploadLimits } from '../../ports/known-types.ts'
import { createDiskQuota, type DiskQuota } from './disk-quota.ts'
import { createErasedOwners, type ErasedOwners } from './erased-owners.ts'
import { eraseFile, type FoundFile, sumSizes } from './file-paths.ts'
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
import { createOwnerQuotas, type OwnerQuotas } from './owner-quotas.ts'

/** State shared by all operations on one folder. */
export interface UploadFolder {
  readonly path: string
  /** Quota of all files together. */
  readonly space: DiskQuota
  /** Quotas of the files of each owner. */
  readonly spaces: OwnerQuotas
  readonly erased: ErasedOwners
  /** Counts across processes that share the folder; the counts of this process alone then have no bound. */
  readonly shared: BoundUploadCounts | undefined
  /** Runs work on the files of an owner, one at a time in this process. */
  readonly inTurn: KeyedMutex
  pathOf(owner: string): string
  /** Erases a file of an owner and counts it no longer. */
  erase(owner: string, file: FoundFile): Promise<void>
}

/** Counts of all processes together, within the bounds of the folder. */
interface BoundUploadCounts {
  claim(file: CountedUpload): ReturnType<SharedUploadCounts['claim']>
  roomFor(owner: string, bytes: number): ReturnType<SharedUploadCounts['roomFor']>
  release: SharedUploadCounts['release']
  reconcile: SharedUploadCounts['reconcile']
}

export interface UploadBounds {
  /** Bytes of all files together, each with its overhead. */
  readonly totalBytes: number
  /** Bytes of one file. */
  readonly fileBytes: number
}

/** Overhead of a file besides its content: empty files fill a disk too. */
const bytesPerFile = 4096

/** Files of one conversation: more would only fill the disk. So many of full size make the bound in bytes. */
const filesOfOwner = 20
const fullFilesOfOwner = 5

export function createUploadFolder(
  path: string,
  { totalBytes, fileBytes }: UploadBounds,
  counts?: SharedUploadCounts,
): UploadFolder {
  const pathOf = (owner: string) => join(path, owner)
  const space = createDiskQuota({ bytes: counts ? Infinity : totalBytes, bytesPerFile })
  const ownerBounds = { files: filesOfOwner, bytes: fullFilesOfOwner * fileBytes }
  const spaces = createOwnerQuotas(ownerBounds, (owner) => sumSizes(pathOf(owner)))
  return {
    path,
    space,
    spaces,
    erased: createErasedOwners(path),
    shared:
      counts &&
      withinLimits(counts, {
        totalBytes,
        bytesPerFile,
        ownerFiles: ownerBounds.files,
        ownerBytes: ownerBounds.bytes,
      }),
    inTurn: createKeyedMutex(),
    pathOf,
    async erase(owner, { path: file, isPart }) {
      const size = await eraseFile(file)
      if (size === undefined || isPart) return
      space.remove(size)
      spaces.remove(owner, size)
      // A release that fails is made up for when a process starts.
      await counts?.release(owner, nameIn(pathOf(owner), file)).catch(() => undefined)
    },
  }
}

function withinLimits(counts: SharedUploadCounts, limits: UploadLimits): BoundUploadCounts {
  return {
    claim: (file) => counts.claim(file, limits),
    roomFor: (owner, bytes) => counts.roomFor(owner, bytes, limits),
    release: counts.release,
    reconcile: counts.reconcile,
  }
}

/** Name under which a file is counted. */
export function nameIn(ownFolder: string, path: string): string {
  return relative(ownFolder, path).replaceAll('\\', '/')
}

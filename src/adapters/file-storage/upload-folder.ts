import { join } from 'node:path'
import { createDiskQuota, type DiskQuota } from './disk-quota.ts'
import { createErasedOwners, type ErasedOwners } from './erased-owners.ts'
import { eraseFile, type FoundFile, sumSizes } from './file-paths.ts'
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
import { createOwnerQuotas, type OwnerQuotas } from './owner-quotas.ts'

/** State shared by all operations on one folder. */
export interface UploadFolder {
  readonly path: string
  /** What all files take together. */
  readonly space: DiskQuota
  /** What the files of one owner take. */
  readonly spaces: OwnerQuotas
  readonly erased: ErasedOwners
  /** Runs work on the files of an owner, one at a time in this process. */
  readonly inTurn: KeyedMutex
  pathOf(owner: string): string
  /** Erases a file of an owner and counts it no longer. */
  erase(owner: string, file: FoundFile): Promise<void>
}

export interface UploadBounds {
  /** Bytes of all files together, each with what it takes besides its content. */
  readonly totalBytes: number
  /** Bytes of one file. */
  readonly fileBytes: number
}

/** What a file takes besides its content: empty files fill a disk too. */
const bytesPerFile = 4096

/** Files of one conversation: more would only fill the disk. So many of full size make the bound in bytes. */
const filesOfOwner = 20
const fullFilesOfOwner = 5

export function createUploadFolder(path: string, { totalBytes, fileBytes }: UploadBounds): UploadFolder {
  const pathOf = (owner: string) => join(path, owner)
  const space = createDiskQuota({ bytes: totalBytes, bytesPerFile })
  const ownerBounds = { files: filesOfOwner, bytes: fullFilesOfOwner * fileBytes }
  const spaces = createOwnerQuotas(ownerBounds, (owner) => sumSizes(pathOf(owner)))
  return {
    path,
    space,
    spaces,
    erased: createErasedOwners(path),
    inTurn: createKeyedMutex(),
    pathOf,
    async erase(owner, { path: file, isPart }) {
      const size = await eraseFile(file)
      if (size === undefined || isPart) return
      space.remove(size)
      spaces.remove(owner, size)
    },
  }
}

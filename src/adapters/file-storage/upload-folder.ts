import { join } from 'node:path'
import { createDiskQuota, type DiskQuota } from './disk-quota.ts'
import { createErasedOwners, type ErasedOwners } from './erased-owners.ts'
import { eraseFile, type FoundFile, sumSizes } from './file-paths.ts'
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
import { createOwnerQuotas, type OwnerQuotas } from './owner-quotas.ts'

/** What everybody shares who works on the files of one folder. */
export interface UploadFolder {
  readonly path: string
  /** What all files take together. */
  readonly space: DiskQuota
  /** What the files of one owner take. */
  readonly spaces: OwnerQuotas
  readonly erased: ErasedOwners
  /** Does something with the files of an owner while nobody else in this process does. */
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

/** Nobody shows more than this in one conversation but to fill the disk; so many of full size make the bytes. */
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

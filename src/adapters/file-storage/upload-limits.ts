import type { UploadLimits } from '../../ports/known-types.ts'

export interface UploadBounds {
  /** Bytes of all files together, each with its overhead. */
  readonly totalBytes: number
  readonly fileBytes: number
}

/** Overhead of a file besides its content: empty files fill a disk too. */
const bytesPerFile = 4096

/** Files of one conversation: more would only fill the disk. So many of full size make the bound in bytes. */
const ownerFiles = 20
const fullFilesOfOwner = 5

/** The bounds of all files and of those of one owner. */
export function uploadLimits({ totalBytes, fileBytes }: UploadBounds): UploadLimits {
  return { totalBytes, bytesPerFile, ownerFiles, ownerBytes: fullFilesOfOwner * fileBytes }
}

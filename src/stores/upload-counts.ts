/** A file as it is counted; the name is its path in the folder of its owner. */
export interface CountedUpload {
  readonly owner: string
  readonly name: string
  readonly bytes: number
}

export interface UploadLimits {
  readonly totalBytes: number
  /** Bytes of a file besides its content. */
  readonly bytesPerFile: number
  readonly ownerFiles: number
  readonly ownerBytes: number
}

/** Counts the files of a folder that several processes share, or of a bucket. */
export interface SharedUploadCounts {
  /** Counts a file that is about to get its place, where there is room for it. */
  claim(file: CountedUpload, limits: UploadLimits): Promise<'enough' | 'owner full' | 'full'>
  roomFor(owner: string, bytes: number, limits: UploadLimits): Promise<'enough' | 'owner full' | 'full'>
  /** Counts a file no longer. */
  release(owner: string, name: string): Promise<void>
  /** Counts all files that are there, and none that have gone. */
  reconcile(found: readonly CountedUpload[]): Promise<void>
}

/** A file that is counted has its place soon after; nothing takes longer. */
export const comingMs = 60 * 60 * 1000

/** Sums of all files, and of those of one owner. */
export interface UploadSums {
  readonly files: number
  readonly bytes: number
  readonly ownFiles: number
  readonly ownBytes: number
}

/** Whether there is room for one more file of so many bytes. */
export function roomIn(sums: UploadSums | undefined, bytes: number, limits: UploadLimits) {
  const { files = 0, bytes: used = 0, ownFiles = 0, ownBytes = 0 } = sums ?? {}
  if (ownFiles + 1 > limits.ownerFiles || ownBytes + bytes > limits.ownerBytes) return 'owner full'
  return used + bytes + (files + 1) * limits.bytesPerFile > limits.totalBytes ? 'full' : 'enough'
}

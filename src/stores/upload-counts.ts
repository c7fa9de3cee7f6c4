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

/** Counts the files of a folder that several processes share. */
export interface SharedUploadCounts {
  /** Counts a file that is about to get its place, where there is room for it. */
  claim(file: CountedUpload, limits: UploadLimits): Promise<'enough' | 'owner full' | 'full'>
  roomFor(owner: string, bytes: number, limits: UploadLimits): Promise<'enough' | 'owner full' | 'full'>
  /** Counts a file no longer. */
  release(owner: string, name: string): Promise<void>
  /** Counts all files that are there, and none that have gone. */
  reconcile(found: readonly CountedUpload[]): Promise<void>
}

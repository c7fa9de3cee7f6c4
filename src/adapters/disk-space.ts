/** Counts what files take, so that all of them together stay within a bound. */
export interface DiskSpace {
  hasRoomFor(bytes: number): boolean
  /** Counts a file that is there, whatever the bound. */
  add(bytes: number): void
  /** Counts a file no longer. */
  remove(bytes: number): void
  /** Begins a file that grows. */
  begin(): GrowingFile
}

export interface GrowingFile {
  /** Whether there is room for so much more; it is then counted. */
  grow(bytes: number): boolean
  /** Counts the file no longer. */
  giveUp(): void
}

/** What a file takes besides its content: empty files fill a disk too. */
const bytesPerFile = 4096

export function createDiskSpace(totalBytes: number): DiskSpace {
  let used = 0
  return {
    hasRoomFor: (bytes) => used + bytesPerFile + bytes <= totalBytes,
    add: (bytes) => {
      used += bytesPerFile + bytes
    },
    remove: (bytes) => {
      used -= bytesPerFile + bytes
    },
    begin() {
      let taken = bytesPerFile
      used += taken
      return {
        grow(bytes) {
          if (used + bytes > totalBytes) return false
          used += bytes
          taken += bytes
          return true
        },
        giveUp: () => {
          used -= taken
        },
      }
    },
  }
}

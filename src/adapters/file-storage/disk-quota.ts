/** Counts files and what they take, so that all of them together stay within bounds. */
export interface DiskQuota {
  hasRoomFor(bytes: number): boolean
  /** Counts an existing file, even beyond the bounds. */
  add(bytes: number): void
  /** Counts a file no longer. */
  remove(bytes: number): void
  /** Begins a file that grows. */
  begin(): QuotaReservation
}

export interface QuotaReservation {
  /** Whether there is room for so much more; it is then counted. With nothing more, whether there is any for it. */
  grow(bytes: number): boolean
  /** Counts the file no longer. */
  giveUp(): void
}

export interface QuotaBounds {
  readonly bytes: number
  /** Room of a file besides its content. */
  readonly bytesPerFile?: number
  readonly files?: number
}

export function createDiskQuota({
  bytes: most,
  bytesPerFile = 0,
  files: mostFiles = Infinity,
}: QuotaBounds): DiskQuota {
  let used = 0
  let files = 0
  const count = (bytes: number, file: 1 | -1) => {
    used += file * (bytesPerFile + bytes)
    files += file
  }
  return {
    hasRoomFor: (bytes) => files < mostFiles && used + bytesPerFile + bytes <= most,
    add: (bytes) => count(bytes, 1),
    remove: (bytes) => count(bytes, -1),
    begin() {
      let taken = 0
      count(0, 1)
      return {
        grow(bytes) {
          if (files > mostFiles || used + bytes > most) return false
          used += bytes
          taken += bytes
          return true
        },
        giveUp: () => count(taken, -1),
      }
    },
  }
}

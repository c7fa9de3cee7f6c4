/** Reservation of a file that grows. */
export type QuotaReservation = ReturnType<DiskQuota['begin']>

interface QuotaBounds {
  readonly bytes: number
  /** Room of a file besides its content. */
  readonly bytesPerFile?: number
  readonly files?: number
}

type DiskQuota = ReturnType<typeof createDiskQuota>

/** Counts files and what they take, so that all of them together stay within bounds. */
export function createDiskQuota({ bytes: most, bytesPerFile = 0, files: mostFiles = Infinity }: QuotaBounds) {
  let used = 0
  let files = 0
  const count = (bytes: number, file: 1 | -1) => {
    used += file * (bytesPerFile + bytes)
    files += file
  }
  return {
    hasRoomFor: (bytes: number) => files < mostFiles && used + bytesPerFile + bytes <= most,
    /** Counts an existing file, even beyond the bounds. */
    add: (bytes: number) => count(bytes, 1),
    remove: (bytes: number) => count(bytes, -1),
    begin() {
      let taken = 0
      count(0, 1)
      return {
        /** Whether there is room for so much more; it is then counted. With nothing more, whether there is any for it. */
        grow(bytes: number): boolean {
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

interface OwnerQuota {
  readonly space: DiskQuota
  holders: number
}

/**
 * Counts the bytes of an owner's files during uploads of that owner. `sizesOf` looks at the files. Calls of `hold` for one
 * owner have to come one after another; several callers may hold it at once.
 */
export function createOwnerQuotas(bounds: QuotaBounds, sizesOf: (owner: string) => AsyncIterable<number>) {
  const held = new Map<string, OwnerQuota>()
  return {
    /** The quota of an owner, counted again when no other caller holds it. Every caller has to let it go. */
    async hold(owner: string): Promise<DiskQuota> {
      const known = held.get(owner) ?? { space: createDiskQuota(bounds), holders: 0 }
      if (known.holders === 0) for await (const size of sizesOf(owner)) known.space.add(size)
      held.set(owner, known)
      known.holders += 1
      return known.space
    },
    letGo(owner: string): void {
      const known = held.get(owner)
      if (!known) return
      known.holders -= 1
      if (known.holders === 0) held.delete(owner)
    },
    /** Subtracts a file from the count of its owner, if there is one. */
    remove: (owner: string, bytes: number) => held.get(owner)?.space.remove(bytes),
  }
}

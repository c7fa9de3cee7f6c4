import { createDiskQuota, type DiskQuota, type QuotaBounds } from './disk-quota.ts'

/** Bytes of each owner's files, known during uploads of that owner. */
export interface OwnerQuotas {
  /** The quota of an owner, counted again when no other caller holds it. Every caller has to release it. */
  hold(owner: string): Promise<DiskQuota>
  letGo(owner: string): void
  /** Subtracts a file from the count of its owner, if there is one. */
  remove(owner: string, bytes: number): void
}

interface OwnerQuota {
  readonly space: DiskQuota
  holders: number
}

/** `sizesOf` looks at the files of an owner. An owner is held by one caller after another, never by two at once. */
export function createOwnerQuotas(
  bounds: QuotaBounds,
  sizesOf: (owner: string) => AsyncIterable<number>,
): OwnerQuotas {
  const held = new Map<string, OwnerQuota>()
  return {
    async hold(owner) {
      const known = held.get(owner) ?? { space: createDiskQuota(bounds), holders: 0 }
      if (known.holders === 0) for await (const size of sizesOf(owner)) known.space.add(size)
      held.set(owner, known)
      known.holders += 1
      return known.space
    },
    letGo(owner) {
      const known = held.get(owner)
      if (!known) return
      known.holders -= 1
      if (known.holders === 0) held.delete(owner)
    },
    remove: (owner, bytes) => held.get(owner)?.space.remove(bytes),
  }
}

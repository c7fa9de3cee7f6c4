import { comingMs, roomIn, type SharedUploadCounts } from '../upload-counts.ts'

interface Counted {
  readonly bytes: number
  /** When it was counted, as milliseconds since 1970. */
  readonly at: number
}

/** Counts uploads of one process. What takes memory are files, which have a bound. */
export function createMemoryUploadCounts(now: () => number): SharedUploadCounts {
  const owners = new Map<string, Map<string, Counted>>()
  const all = { files: 0, bytes: 0 }

  function put(owner: string, name: string, bytes: number): void {
    remove(owner, name)
    const own = owners.get(owner) ?? new Map<string, Counted>()
    owners.set(owner, own.set(name, { bytes, at: now() }))
    all.files += 1
    all.bytes += bytes
  }

  function remove(owner: string, name: string): void {
    const own = owners.get(owner)
    const counted = own?.get(name)
    if (!own || !counted) return
    own.delete(name)
    if (own.size === 0) owners.delete(owner)
    all.files -= 1
    all.bytes -= counted.bytes
  }

  function sumsOf(owner: string) {
    const own = [...(owners.get(owner)?.values() ?? [])]
    return { ...all, ownFiles: own.length, ownBytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  return {
    async claim({ owner, name, bytes }, limits) {
      const room = roomIn(sumsOf(owner), bytes, limits)
      if (room === 'enough') put(owner, name, bytes)
      return room
    },
    roomFor: async (owner, bytes, limits) => roomIn(sumsOf(owner), bytes, limits),
    release: async (owner, name) => remove(owner, name),
    async reconcile(found) {
      const there = new Map<string, Set<string>>()
      for (const { owner, name, bytes } of found) {
        there.set(owner, (there.get(owner) ?? new Set()).add(name))
        if (!owners.get(owner)?.has(name)) put(owner, name, bytes)
      }
      const latest = now() - comingMs
      for (const [owner, own] of owners) {
        for (const [name, { at }] of own) if (at < latest && !there.get(owner)?.has(name)) remove(owner, name)
      }
    },
  }
}

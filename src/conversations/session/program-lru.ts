import type { Program } from '../../engine/model/program.ts'
import type { StoreUsage } from '../../ports/known-types.ts'

/** A program that is kept, with what came along when it was sent. */
interface KeptProgram {
  readonly program: Program
  /** Memory besides its footprint. */
  readonly bytes: number
  readonly body?: object
}

/**
 * Keeps compiled programs within a bound of bytes: the least recently used makes room, and the newest is always kept. The
 * bound counts what a program has grown by as well, whenever it does. A single program may exceed it: compiling it
 * anew for each request would cost more than it holds.
 */
export function createProgramLru(maxBytes: number) {
  // In the order of use: a map lists first what was put in first.
  const entries = new Map<string, KeptProgram>()
  let total = 0
  let evicted = 0

  function remove(hash: string): void {
    const entry = entries.get(hash)
    if (!entry) return
    entry.program.footprint.onGrowth(undefined)
    total -= entry.bytes + entry.program.footprint.bytes
    entries.delete(hash)
  }

  function makeRoom(): void {
    for (const hash of entries.keys()) {
      if (total <= maxBytes || entries.size === 1) return
      remove(hash)
      evicted += 1
    }
  }

  return {
    /** The program of this hash, which then counts as used. */
    get(hash: string): KeptProgram | undefined {
      const entry = entries.get(hash)
      if (!entry) return undefined
      entries.delete(hash)
      entries.set(hash, entry)
      return entry
    },
    /** Keeps a program, in place of what its hash held. */
    set(kept: KeptProgram): void {
      const { hash, footprint } = kept.program
      remove(hash)
      entries.set(hash, kept)
      total += kept.bytes + footprint.bytes
      footprint.onGrowth((grown) => {
        total += grown
        makeRoom()
      })
      makeRoom()
    },
    usage: (): StoreUsage => ({ entries: entries.size, bytes: total, evicted }),
  }
}

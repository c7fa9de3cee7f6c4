import type { Footprint } from '../model/footprint.ts'
import type { Program } from '../model/program.ts'

/** Bytes of the programs in other languages that are kept beside one program; the one used last is always kept. */
const maxBytes = 16 * 1024 * 1024

interface LocalisedProgram {
  readonly program: Program
  /** Memory that it takes, by estimate. */
  bytes: number
}

/**
 * Keeps a program in other languages, each compiled when it is first asked for. They count as part of the program: its
 * footprint grows with them, and is given back what makes room.
 */
export function createLocalisedPrograms(
  footprint: Footprint,
  compile: (locale: string) => LocalisedProgram,
): (locale: string) => Program {
  // In the order of use: a map lists first what was put in first.
  const kept = new Map<string, LocalisedProgram>()
  let total = 0

  function grow(bytes: number): void {
    total += bytes
    footprint.add(bytes)
  }

  function makeRoom(): void {
    for (const [locale, { program, bytes }] of kept) {
      if (total <= maxBytes || kept.size === 1) return
      kept.delete(locale)
      program.footprint.onGrowth(undefined)
      grow(-bytes)
    }
  }

  return (locale) => {
    const known = kept.get(locale)
    const entry = known ?? compile(locale)
    kept.delete(locale)
    kept.set(locale, entry)
    if (known) return known.program
    entry.program.footprint.onGrowth((bytes) => {
      entry.bytes += bytes
      grow(bytes)
    })
    grow(entry.bytes)
    makeRoom()
    return entry.program
  }
}

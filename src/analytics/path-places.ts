import { createMemo } from '../engine/model/footprint.ts'
import type { Program } from '../engine/model/program.ts'

/** Places that every path may come through, before the blocks of its flow. */
const milestones = ['\nstart', '\ncompletion', '\nhanded over'] as const

export type Milestone = (typeof milestones)[number]

/** Places of a flow beyond which paths tell nothing: their names would be too long to be keys. */
const mostPlaces = 4096

interface Places {
  readonly names: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
}

const known = createMemo<Program, Places>(({ names }) => 150 * names.length)

/** Everything that a path may come through in a version of a flow, in the order of its bits. */
export function placesOf(program: Program): Places {
  const before = known.get(program)
  if (before) return before
  const names = [...milestones, ...program.blocks.ids()].slice(0, mostPlaces)
  const places = { names, indexes: new Map(names.map((name, index) => [name, index])) }
  known.set(program, places, program.footprint)
  return places
}

/** A set of places. */
export class Path {
  #bits: Buffer

  /** As `toString` wrote it; the empty path unless given. */
  constructor(written = '') {
    this.#bits = Buffer.from(written, 'base64url')
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
  }

  add(index: number): void {
    const byte = index >> 3
    if (byte >= this.#bits.length)
      this.#bits = Buffer.concat([this.#bits, Buffer.alloc(byte + 1 - this.#bits.length)])
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (index & 7))
  }

  /** The indexes of its places. */
  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#bits.length * 8; index++) if (this.has(index)) yield index
  }

  toString(): string {
    return this.#bits.toString('base64url')
  }
}

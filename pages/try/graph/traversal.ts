import type { TraceTurn } from '../../../client/client.ts'

/** The way that a conversation took. */
export interface Traversal {
  /** The numbers of the steps along each edge, counted from 1. */
  readonly edges: ReadonlyMap<string, readonly number[]>
  readonly blocks: ReadonlySet<string>
}

/** Reads which way turns took, in their order. */
export function readTraversal(turns: readonly TraceTurn[]): Traversal {
  const edges = new Map<string, number[]>()
  const blocks = new Set<string>()
  let number = 0
  for (const { came, steps } of turns) {
    for (const { edgeId } of [...came, ...steps.flatMap(({ went }) => went)]) {
      if (edgeId === undefined) continue
      number += 1
      const numbers = edges.get(edgeId)
      if (numbers) numbers.push(number)
      else edges.set(edgeId, [number])
    }
    for (const { block } of steps) blocks.add(block.blockId)
  }
  return { edges, blocks }
}

/** Numbers as a badge shows them. */
export const shortNumbers = (numbers: readonly number[]): string =>
  numbers.length <= 3 ? numbers.join(', ') : `${numbers.slice(0, 2).join(', ')} … ${numbers.at(-1)}`

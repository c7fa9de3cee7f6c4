import type { RecordingFile } from '../../conversations/recording/recording-file.ts'
import type { Divergence } from './divergence.ts'

interface AnyFlow {
  readonly groups?: readonly {
    readonly id?: string
    readonly title?: string
    readonly blocks?: readonly { readonly id?: string; readonly type?: string }[]
  }[]
}

/** One sentence about where a conversation diverges from its recording. */
export function describeDivergence(
  { turn, blockId, what }: Divergence,
  { definitions }: RecordingFile,
): string {
  const at =
    blockId === undefined ? 'before its first block' : `at ${placeOf(blockId, Object.values(definitions))}`
  return `turn ${turn} diverges ${at}: ${what}`
}

function placeOf(blockId: string, flows: readonly unknown[]): string {
  for (const { groups = [] } of flows as readonly AnyFlow[]) {
    for (const { id, title, blocks = [] } of groups) {
      const block = blocks.find((each) => each.id === blockId)
      if (block) return `block "${blockId}" (${block.type}) in group "${title ?? id}"`
    }
  }
  return `block "${blockId}"`
}

import type { RecordingFile } from '../../conversations/recording/recording-file.ts'

/** Place at which a replay diverges from its recording. */
export interface Divergence {
  /** Counted from 1. */
  readonly turn: number
  /** The id of the block that does otherwise; undefined where none had been entered. */
  readonly blockId: string | undefined
  /** The recorded behaviour, and that of the replay. */
  readonly what: string
}

/** Thrown by the stand-in for the world when a turn asks for something else than it did. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError'
  readonly blocks: number

  /** `blocks` had been entered by then. */
  constructor(message: string, blocks: number) {
    super(message)
    this.blocks = blocks
  }
}

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

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

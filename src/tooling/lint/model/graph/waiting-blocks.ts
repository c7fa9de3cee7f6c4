import type { Flow } from '../../../../../schemas/flow.ts'
import type { Program } from '../../../../engine/model/program.ts'
import { placeBlocks } from '../place-blocks.ts'
import { blockName, type PlacedBlock } from '../placed-block.ts'

/** The blocks at which a session can wait, as messages name them, by their ids. */
export function waitingBlocksOf(flow: Flow, program: Program): Map<string, string> {
  const waiting = [...placeBlocks(flow, program)].filter(waits)
  return new Map(waiting.map((placed) => [placed.block.id, blockName(placed)]))
}

/** A block that neither goes on by itself nor leads elsewhere waits for the client. */
function waits({ kind, compiled, marks: { decides, leaves } }: PlacedBlock): boolean {
  if (kind === 'input') return true
  return !compiled.isPassThrough && !decides && (leaves === undefined || kind === 'bubble')
}

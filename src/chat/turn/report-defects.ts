import type { TurnOutput } from '../../engine/turn/turn-output.ts'
import type { ServiceLog } from '../dependencies.ts'

/** Tells the operator about blocks that failed unexpectedly: where, and with which stack. */
export function reportDefects({ defects }: TurnOutput, log: ServiceLog): void {
  for (const { error, block } of defects) {
    log.error(
      { err: error, blockId: block.id, blockType: block.type, groupId: block.group.id },
      'a block handler failed',
    )
  }
}

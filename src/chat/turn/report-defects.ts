import type { TurnOutput } from '../../engine/turn/turn-output.ts'
import type { ServiceLog } from '../dependencies.ts'
import { flowNameOf, type ReportedOwner } from './report-errors.ts'

/** Reports blocks that failed unexpectedly to the operator: where, and with which stack. */
export function reportDefects({ defects }: TurnOutput, owner: ReportedOwner, log: ServiceLog): void {
  for (const { error, block } of defects) {
    log.error(
      {
        err: error,
        flow: flowNameOf(owner),
        blockId: block.id,
        blockType: block.type,
        groupId: block.group.id,
        requestId: owner.trace?.requestId,
      },
      'a block handler failed',
    )
  }
}

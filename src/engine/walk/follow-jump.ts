import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, findGroup, type Target } from '../model/program.ts'
import type { Continuation } from '../model/step.ts'
import type { Turn } from '../turn/turn.ts'
import { enterTarget, popFrames } from './next-block.ts'
import { pushReturnAfterJump } from './return-stack.ts'

type Jump = Extract<Continuation, { to: 'jump' }>

/** Goes on at another group of the flow; the path ends, with a log, where there is no such place. */
export function followJump(turn: Turn, block: CompiledBlock, jump: Jump): CompiledBlock | undefined {
  const target = findTarget(turn, block, jump)
  turn.journal?.went({ why: target ? 'jump' : 'missing group', groupId: jump.group.value })
  if (!target) return popFrames(turn)
  pushReturnAfterJump(turn, block)
  return enterTarget(turn, block, target)
}

function findTarget(turn: Turn, block: CompiledBlock, { group, blockId }: Jump): Target | undefined {
  const wanted = { groupIdOrTitle: group.value, jumpBlockId: block.id }
  const found = findGroup(turn.currentFrame.program, group.by, group.value)
  if (!found) return logMissing(turn, 'The group to jump to does not exist', wanted)
  if (blockId === undefined) return found.target
  return (
    found.block(blockId) ??
    logMissing(turn, 'The block to jump to is not in its group', { ...wanted, blockId })
  )
}

function logMissing(turn: Turn, description: string, wanted: object): undefined {
  turn.output.log(visibleError({ context: 'Jump', description, details: JSON.stringify(wanted) }))
}

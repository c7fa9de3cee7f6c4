import type { ReturnPoint } from '../model/conversation.ts'
import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, targetOf } from '../model/program.ts'
import type { Reply } from '../model/step.ts'
import { describeLocation } from '../turn/describe-location.ts'
import type { Turn } from '../turn/turn.ts'
import { leaveFrame } from './flow-links.ts'

/** Remembers the block that would have followed a jump, for a Return block to come back to. */
export function pushReturnAfterJump(turn: Turn, jump: CompiledBlock): void {
  const target = targetOf(turn.currentFrame.program, jump.edgeId)
  const block = jump.following ?? (target?.kind === 'block' ? target.block : undefined)
  if (block) pushReturnPoint(turn, block)
}

/**
 * Remembers a block for a Return block to come back to, with the reply that it has yet to take. The oldest mark
 * gives way when there are too many: flows that loop by jumps never return. Those that keep a reply stay longest.
 */
export function pushReturnPoint(turn: Turn, block: CompiledBlock, reply?: Reply): void {
  const { frames, returnStack } = turn.conversation
  if (returnStack.length >= turn.budget.limits.returnMarks) dropOldest(turn)
  returnStack.push({ frameDepth: frames.length - 1, block, ...(reply && { reply }) })
}

function dropOldest(turn: Turn): void {
  const { returnStack } = turn.conversation
  turn.budget.limitsReached.push('returnMarks')
  const index = returnStack.findIndex(({ reply }) => !reply)
  const [forgotten] = returnStack.splice(Math.max(index, 0), 1)
  if (!forgotten?.reply) return
  const description = 'A reply was lost: too many events wait for a Return block'
  turn.output.log(visibleError({ description, details: describeLocation(forgotten.block) }))
}

/**
 * Pops the last return point, and every frame above its own. A subroutine that was entered after it is left first,
 * and the walk goes on where the command interrupted it.
 */
export function popReturnPoint(turn: Turn): Pick<ReturnPoint, 'block' | 'reply'> | undefined {
  const { frames, returnStack } = turn.conversation
  const subroutine = frames.findLastIndex(({ isSubroutine }) => isSubroutine)
  if (subroutine > (returnStack.at(-1)?.frameDepth ?? -1)) return leaveSubroutine(turn, subroutine)
  const point = returnStack.pop()
  while (point && frames.length - 1 > point.frameDepth) leaveFrame(turn)
  return point
}

function leaveSubroutine(turn: Turn, index: number): Pick<ReturnPoint, 'block'> | undefined {
  while (turn.conversation.frames.length - 1 > index) leaveFrame(turn)
  const { resumeAt } = leaveFrame(turn)
  return resumeAt && { block: resumeAt }
}

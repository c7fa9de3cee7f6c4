import { leaveFrame } from './links.ts'
import { type CompiledBlock, targetOf } from './program.ts'
import type { Turn } from './turn.ts'

/**
 * Remembers the block that would have followed a jump, for a Return block to come back to. The oldest mark gives
 * way when there are too many: flows that loop by jumps never return.
 */
export function pushReturnMark(turn: Turn, jump: CompiledBlock): void {
  const { frames, returnMarks } = turn.conversation
  const behind = targetOf(turn.front.program, jump.edgeId)
  const block = jump.following ?? (behind?.kind === 'block' ? behind.block : undefined)
  if (!block) return
  if (returnMarks.length >= turn.limits.returnMarks) returnMarks.shift()
  returnMarks.push({ height: frames.length - 1, block })
}

/** Takes the last mark back: the block to go on with, linked flows above it left. */
export function popReturnMark(turn: Turn): CompiledBlock | undefined {
  const { frames, returnMarks } = turn.conversation
  const mark = returnMarks.pop()
  while (mark && frames.length - 1 > mark.height) leaveFrame(turn)
  return mark?.block
}

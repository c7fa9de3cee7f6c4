import type { ReturnMark } from '../model/conversation.ts'
import { type CompiledBlock, targetOf } from '../model/program.ts'
import type { Reply } from '../model/step.ts'
import { describePlace } from '../turn/describe-location.ts'
import type { Turn } from '../turn/turn.ts'
import { leaveFrame } from './flow-links.ts'

/** Remembers the block that would have followed a jump, for a Return block to come back to. */
export function markBehind(turn: Turn, jump: CompiledBlock): void {
  const behind = targetOf(turn.front.program, jump.edgeId)
  const block = jump.following ?? (behind?.kind === 'block' ? behind.block : undefined)
  if (block) pushReturnMark(turn, block)
}

/**
 * Remembers a block for a Return block to come back to, with the reply that it has yet to take. The oldest mark
 * gives way when there are too many: flows that loop by jumps never return. Those that keep a reply stay longest.
 */
export function pushReturnMark(turn: Turn, block: CompiledBlock, reply?: Reply): void {
  const { frames, returnMarks } = turn.conversation
  if (returnMarks.length >= turn.limits.returnMarks) forgetOne(turn)
  returnMarks.push({ height: frames.length - 1, block, ...(reply && { reply }) })
}

function forgetOne(turn: Turn): void {
  const { returnMarks } = turn.conversation
  turn.limitsReached.push('returnMarks')
  const index = returnMarks.findIndex(({ reply }) => !reply)
  const [forgotten] = returnMarks.splice(Math.max(index, 0), 1)
  if (!forgotten?.reply) return
  const description = 'A reply was lost: too many events wait for a Return block'
  turn.log({ status: 'error', description, details: describePlace(forgotten.block) })
}

/**
 * Takes the last mark back; linked flows above its block are left. What a command stepped aside from is come back to
 * before anything that was left earlier.
 */
export function popReturnMark(turn: Turn): Pick<ReturnMark, 'block' | 'reply'> | undefined {
  const { frames, returnMarks } = turn.conversation
  const height = returnMarks.at(-1)?.height ?? -1
  const aside = frames.findIndex(({ isAside }, index) => isAside && frames.length - 1 - index > height)
  if (aside !== -1) return leaveAside(turn, aside)
  const mark = returnMarks.pop()
  while (mark && frames.length - 1 > mark.height) leaveFrame(turn)
  return mark
}

function leaveAside(turn: Turn, index: number): Pick<ReturnMark, 'block'> | undefined {
  for (let above = 0; above < index; above++) leaveFrame(turn)
  const { resumeAt } = leaveFrame(turn)
  return resumeAt && { block: resumeAt }
}

import type { Turn } from '../../engine/turn/turn.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'

/** A turn, and whose it is. */
export interface Work {
  readonly turn: Turn
  readonly owner: Pick<TurnOwner, 'kind' | 'isUnderWay'>
}

/** One at a time runs in a process; nothing is written down of it until somebody asks. */
let current: Work | undefined

/** Notes which turn runs from now on, until others can run. */
export function setWork(work: Work | undefined): void {
  current = work
}

/** Describes the running turn as the log may name it; nothing where none runs. */
export function describeWork(): { work?: string; flow?: string; block?: string } {
  if (!current) return {}
  const { turn, owner } = current
  // Until a block runs, what was said is judged by the one that waits.
  const block = (turn.budget.trail.at(-1) ?? turn.conversation.waitingBlock)?.id
  const work = `${owner.isUnderWay ? 'continue' : 'start'} of a ${owner.kind} session`
  return { work, flow: turn.currentFrame.program.id, ...(block !== undefined && { block }) }
}

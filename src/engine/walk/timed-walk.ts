import type { Effects } from '../model/effects.ts'
import type { CompiledBlock, Program } from '../model/program.ts'
import { targetOf } from '../model/program.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'
import { enterSubroutine, leaveFrame } from './flow-links.ts'
import { enterTarget, nextByDefault } from './next-block.ts'
import { takeGathered, takeInput } from './resume-walk.ts'
import { endPause } from './take-over.ts'
import { walk } from './walk.ts'

/** A timer that is due. */
interface DueTimer {
  readonly type: 'idle' | 'wait' | 'reply' | 'expire' | 'pause'
  /** Of an event. */
  readonly eventId?: string | undefined
}

/** Takes the turn of a timer (docs/behaviour/timers.md). Ends within the budgets of the turn. */
export function* fire(turn: Turn, timer: DueTimer): Effects<TurnOutput> {
  const { conversation } = turn
  const block = conversation.waitingBlock
  const { sleep } = conversation
  try {
    if (block && timer.type === 'idle') yield* goAside(turn, block, timer)
    if (block && timer.type === 'wait') yield* wake(turn, block)
    if (block && timer.type === 'reply') yield* takeGathered(turn)
    if (timer.type === 'pause') yield* endPause(turn, { isDue: true })
    if (block && timer.type === 'expire') yield* sayGoodbye(turn, timer)
  } catch (error) {
    turn.stopFor(error)
  }
  if (timer.type !== 'expire') return turn.output
  turn.output.input = undefined
  turn.output.actions.length = 0
  Object.assign(conversation, { waitingBlock: block, sleep, pause: undefined, hasEnded: true })
  return turn.output
}

/** Leaves the question that waits for where the event leads, and comes back to it when that way ends. */
function* goAside(turn: Turn, waiting: CompiledBlock, { eventId }: DueTimer): Effects<void> {
  const target = eventTarget(turn, turn.currentFrame.program, eventId)
  if (!target) return
  turn.take(undefined)
  enterSubroutine(turn, waiting)
  yield* walk(turn, enterTarget(turn, undefined, target))
}

/** Goes on behind the wait, and gives the inputs there what was said meanwhile. */
function* wake(turn: Turn, waiting: CompiledBlock): Effects<void> {
  const replies = turn.conversation.sleep?.replies ?? []
  turn.take(undefined)
  yield* walk(turn, nextByDefault(turn, waiting))
  for (const reply of replies) {
    if (turn.conversation.waitingBlock?.handler?.kind !== 'input') return
    yield* takeInput(turn, reply)
  }
}

/** Walks from the event of the flow that was started; whatever it waits for is over. */
function* sayGoodbye(turn: Turn, { eventId }: DueTimer): Effects<void> {
  const { frames } = turn.conversation
  const target = eventTarget(turn, turn.conversation.frames[0].program, eventId)
  if (!target) return
  turn.take(undefined)
  while (frames.length > 1) leaveFrame(turn)
  yield* walk(turn, enterTarget(turn, undefined, target))
}

/** Where an event leads; undefined for one that a later version of the flow lacks, or that leads nowhere. */
function eventTarget(turn: Turn, program: Program, eventId: string | undefined) {
  const event = eventId === undefined ? undefined : program.events.get(eventId)
  const target = targetOf(program, event?.outgoingEdgeId)
  if (event && target) turn.journal?.went({ why: 'event', eventId: event.id })
  return target?.kind === 'missing group' ? undefined : target
}

import type { Effects } from '../model/effects.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { LinkEntry, Next, Step } from '../model/step.ts'
import { Piece } from '../templates/json-fragment.ts'
import { assign } from '../turn/assign-variable.ts'
import { describePlace } from '../turn/describe-location.ts'
import { begin, isUnfinished } from '../turn/run-handler.ts'
import { recordShown } from '../turn/transcript.ts'
import type { Turn } from '../turn/turn.ts'
import { breathe } from '../turn/yield.ts'
import { enterLink } from './flow-links.ts'
import { answerAgain } from './handle-reply.ts'
import { fallThrough, follow, land, leaveByDefault, unwind } from './next-block.ts'
import { markBehind, popReturnMark } from './return-stack.ts'

/**
 * Walks from a block until the conversation waits for the client or ends (docs/behaviour.md, "The walk").
 *
 * Everything that goes wrong on the way is a log of the turn, and the walk goes on by the default way where that
 * makes sense. It ends after a bounded number of blocks: by `BudgetSpent`, if not before.
 */
export function* walk(turn: Turn, from: CompiledBlock | undefined): Effects<void> {
  let block = from
  while (block) {
    const step = yield* execute(turn, block)
    record(turn, block, step)
    const way = goOn(turn, block, step.next)
    block = isUnfinished(way) ? yield* way : way
  }
}

/** Goes past a bubble that the visitor has seen already: it counts as shown, and is left out of the response. */
export function* pass(turn: Turn, bubble: CompiledBlock): Effects<CompiledBlock | undefined> {
  const { message, ...step } = yield* execute(turn, bubble)
  record(turn, bubble, step)
  if (message) recordShown(turn, bubble, message)
  const way = goOn(turn, bubble, step.next)
  return isUnfinished(way) ? yield* way : way
}

/** Runs one block; a handler that throws has produced nothing but a log. */
function* execute(turn: Turn, block: CompiledBlock): Effects<Step> {
  if (turn.enter(block)) yield* breathe(turn)
  const { handler } = block
  if (!handler) return skipUnknown(block)
  const step = begin(turn, block, () => handler.run(block.compiled, turn.contextOf(block)))
  return (isUnfinished(step) ? yield* step : step) ?? {}
}

function skipUnknown(block: CompiledBlock): Step {
  const description = `Block type "${block.type}" is unknown to this server: the block was skipped`
  return {
    logs: [{ status: 'error', description, details: describePlace(block) }],
    next: { to: 'fall through' },
  }
}

/** Puts what a block produced into the output of the turn and into the variables. */
function record(turn: Turn, block: CompiledBlock, step: Step): void {
  for (const assignment of step.assignments ?? []) assign(turn, assignment)
  for (const entry of step.logs ?? []) turn.log(entry)
  for (const action of step.actions ?? []) {
    const { lastBubbleBlockId } = turn
    turn.act(new Piece(lastBubbleBlockId === undefined ? action : { ...action, lastBubbleBlockId }))
  }
  if (step.message) {
    turn.show(step.message)
    // An embed that waits for an event is not something that later actions run after.
    if (step.next?.to !== 'wait') turn.lastBubbleBlockId = block.id
    recordShown(turn, block, step.message)
  }
  if (step.input) turn.ask(step.input)
}

/** The block that runs next, or the way to it; undefined when the walk is over. */
function goOn(
  turn: Turn,
  block: CompiledBlock,
  next: Next | undefined,
): CompiledBlock | undefined | Effects<CompiledBlock | undefined> {
  switch (next?.to) {
    case undefined:
      return block.handler?.kind === 'bubble' ? fallThrough(turn, block) : leaveByDefault(turn, block)
    case 'fall through':
      return fallThrough(turn, block)
    case 'edge':
      return follow(turn, block, next.edgeId)
    case 'end':
      return unwind(turn)
    case 'jump':
      markBehind(turn, block)
      return land(turn, block, next.target)
    case 'return':
      return comeBack(turn, block)
    case 'link':
      return followLink(turn, block, next.entry)
    case 'wait':
      turn.conversation.waitingBlock = block
      return undefined
  }
}

function* followLink(turn: Turn, block: CompiledBlock, entry: LinkEntry): Effects<CompiledBlock | undefined> {
  return (yield* enterLink(turn, block, entry))
    ? land(turn, block, entry.target)
    : leaveByDefault(turn, block)
}

/** To the block that was left last, which a reply may still wait for that an event has seen meanwhile. */
function* comeBack(turn: Turn, block: CompiledBlock): Effects<CompiledBlock | undefined> {
  const mark = popReturnMark(turn)
  if (!mark) return fallThrough(turn, block)
  return mark.reply ? yield* answerAgain(turn, mark.block, mark.reply) : mark.block
}

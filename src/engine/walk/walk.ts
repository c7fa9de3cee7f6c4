import type { Message } from '../../../schemas/message.ts'
import { type Effects, finish, isUnfinished } from '../model/effects.ts'
import { visibleError } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { Continuation, Step } from '../model/step.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import { assign } from '../turn/assign-variable.ts'
import { describeLocation } from '../turn/describe-location.ts'
import { inputOfPause } from '../turn/person-words.ts'
import { finishHandler, startHandler } from '../turn/run-handler.ts'
import { transcribeShown } from '../turn/transcript.ts'
import type { Turn } from '../turn/turn.ts'
import { isFilled } from '../values/value.ts'
import { followJump, followLink } from './follow.ts'
import { handleReplyAgain } from './handle-reply.ts'
import { followEdge, nextByDefault, nextInGroup, popFrames } from './next-block.ts'
import { popReturnPoint } from './return-stack.ts'

/**
 * Walks from a block until the conversation waits for the client or ends (docs/behaviour/walk.md, "The walk").
 *
 * Everything that goes wrong on the way is a log of the turn, and the walk goes on by the default way where that
 * makes sense. It ends after a bounded number of blocks: by `BudgetSpent`, if not before.
 */
export function* walk(turn: Turn, from: CompiledBlock | undefined): Effects<void> {
  let block = from
  while (block) {
    if (enter(turn, block)) yield* turn.budget.letOthersRun()
    const begun = execute(turn, block)
    const step = (isUnfinished(begun) ? yield* finishHandler(turn, block, begun) : begun) ?? {}
    applyStep(turn, block, step)
    if (step.next) {
      const way = nextBlock(turn, block, step.next)
      block = isUnfinished(way) ? yield* way : way
    } else block = goOn(turn, block)
  }
}

/** Goes past a bubble that the visitor has seen already: it counts as shown, and is left out of the response. */
export function* passBubble(turn: Turn, bubble: CompiledBlock): Effects<CompiledBlock | undefined> {
  if (enter(turn, bubble)) yield* turn.budget.letOthersRun()
  const begun = execute(turn, bubble)
  const { message, ...step } = (isUnfinished(begun) ? yield* finishHandler(turn, bubble, begun) : begun) ?? {}
  applyStep(turn, bubble, step)
  if (message && turn.isTranscribed) transcribeShown(turn, bubble, marked(message, turn, bubble))
  return step.next ? yield* finish(nextBlock(turn, bubble, step.next)) : goOn(turn, bubble)
}

/** Counts a block that is about to run. Returns whether it is time to let others be served. */
function enter(turn: Turn, block: CompiledBlock): boolean {
  turn.journal?.enter(block, turn.currentFrame.program.id, 'ran')
  turn.tally?.add('shown', turn.countedName(block.id))
  return turn.budget.enter(block)
}

/** Runs one block; a handler that throws has produced nothing but a log. */
function execute(turn: Turn, block: CompiledBlock): Step | undefined | Effects<Step> {
  const { handler } = block
  return handler ? startHandler<Step>(turn, { block, run: handler.run }) : skipUnknown(turn, block)
}

function skipUnknown(turn: Turn, block: CompiledBlock): Step {
  // Its log and those of the way on name it.
  turn.context.begin(block)
  const description = `Block type "${block.type}" is unknown to this server: the block was skipped`
  return {
    logs: [visibleError({ description, details: describeLocation(block) })],
    next: { to: 'fall through' },
  }
}

/** Puts what a block produced into the output of the turn and into the variables. */
function applyStep(turn: Turn, block: CompiledBlock, step: Step): void {
  turn.journal?.produced(step)
  for (const assignment of step.assignments ?? []) assign(turn, assignment)
  for (const entry of step.logs ?? []) turn.output.log(entry)
  for (const action of step.actions ?? []) turn.output.act(action)
  if (step.message) {
    const message = block.generatedFrom.length > 0 ? marked(step.message, turn, block) : step.message
    turn.output.show(message)
    // An embed that waits for an event is not something that later actions run after.
    if (step.next?.to !== 'wait') turn.output.lastBubbleBlockId = block.id
    if (turn.isTranscribed) transcribeShown(turn, block, message)
  }
  if (step.input) turn.output.ask(step.input)
  if (step.payment) turn.conversation.payment = step.payment
  if (step.item) turn.tally?.take(turn.countedName(block.id), step.item)
}

/** The message, which says so where it shows words of a model. */
function marked(message: JsonFragment<Message>, turn: Turn, block: CompiledBlock): JsonFragment<Message> {
  const { variables } = turn.currentFrame
  const isGenerated = block.generatedFrom.some((ref) => isFilled(variables.read(ref)))
  return isGenerated ? message.with('generatedBy', 'model') : message
}

/** The block that runs next where the step says nothing of it. */
function goOn(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  return block.handler?.kind === 'bubble' ? nextInGroup(turn, block) : nextByDefault(turn, block)
}

/** The block that the step names, or the way to it; undefined when the walk is over. */
function nextBlock(
  turn: Turn,
  block: CompiledBlock,
  next: Continuation,
): CompiledBlock | undefined | Effects<CompiledBlock | undefined> {
  switch (next.to) {
    case 'fall through':
      return nextInGroup(turn, block)
    case 'edge':
      return followEdge(turn, block, next.edgeId)
    case 'end':
      turn.journal?.went({ why: 'item without edge' })
      return popFrames(turn)
    case 'jump':
      return followJump(turn, block, next)
    case 'return':
      return returnToMark(turn, block)
    case 'link':
      return followLink(turn, block, next)
    case 'wait':
      turn.journal?.went({ why: 'waits' })
      turn.conversation.waitingBlock = block
      return undefined
    case 'sleep':
      turn.journal?.went({ why: 'waits' })
      turn.conversation.waitingBlock = block
      turn.conversation.sleep = { until: next.until, ...(next.keepsReplies && { replies: [] }) }
      return undefined
    case 'hand over':
      turn.journal?.went({ why: 'waits' })
      turn.conversation.waitingBlock = block
      turn.conversation.pause = next.pause
      turn.output.ask(inputOfPause)
      return undefined
  }
}

/** Returns to the block that was left last, which a reply may still wait for that an event has seen meanwhile. */
function* returnToMark(turn: Turn, block: CompiledBlock): Effects<CompiledBlock | undefined> {
  const mark = popReturnPoint(turn)
  if (!mark) return nextInGroup(turn, block)
  turn.journal?.went({ why: 'return' })
  return mark.reply ? yield* handleReplyAgain(turn, mark.block, mark.reply) : mark.block
}

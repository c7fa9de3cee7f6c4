import { assign } from './assign.ts'
import { ask, type Effects } from './effects.ts'
import { attempt, guarded } from './guarded.ts'
import { BudgetSpent } from './limits.ts'
import { enterLink, leaveFrame } from './links.ts'
import { Piece } from './piece.ts'
import { describePlace, missingBlockLog } from './place.ts'
import { type CompiledBlock, type Target, targetOf } from './program.ts'
import { popReturnMark, pushReturnMark } from './return-marks.ts'
import type { Next, Step } from './step.ts'
import type { Turn } from './turn.ts'

/**
 * Walks from a block until the conversation waits for the client or ends (docs/behaviour.md, "The walk").
 *
 * Everything that goes wrong on the way is a log of the turn, and the walk goes on by the default way where that
 * makes sense. It ends after a bounded number of blocks: by `BudgetSpent`, if not before.
 */
export function* walk(turn: Turn, from: CompiledBlock | undefined): Effects<void> {
  turn.conversation.waitingBlock = undefined
  let block = from
  while (block) {
    const step = yield* execute(turn, block)
    record(turn, block, step)
    block = yield* goOn(turn, block, step.next)
  }
}

/** Runs one block; a handler that throws has produced nothing but a log. */
function* execute(turn: Turn, block: CompiledBlock): Effects<Step> {
  if (turn.enter(block)) {
    if (!(yield* ask({ type: 'breathe' }))) throw new BudgetSpent('its time in one turn is used up')
    turn.breathed()
  }
  const { handler } = block
  if (!handler) {
    const description = `Block type "${block.type}" is unknown to this server: the block was skipped`
    return {
      logs: [{ status: 'error', description, details: describePlace(block) }],
      next: { to: 'fall through' },
    }
  }
  return (yield* guarded(turn, block, () => handler.run(block.compiled, turn.contextOf(block)))) ?? {}
}

/** Puts what a block produced into the output of the turn and into the variables. */
function record(turn: Turn, block: CompiledBlock, step: Step): void {
  const { conversation } = turn
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
    const { value } = step.message
    const line = conversation.transcript && attempt(turn, block, () => block.handler?.transcriptLine?.(value))
    if (line) conversation.transcript?.push(`Assistant: "${line}"`)
  }
  if (step.input) turn.ask(step.input)
}

/** The block that runs next; undefined when the walk is over. */
function* goOn(turn: Turn, block: CompiledBlock, next: Next | undefined): Effects<CompiledBlock | undefined> {
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
      pushReturnMark(turn, block)
      return land(turn, block, next.target)
    case 'return':
      return popReturnMark(turn) ?? fallThrough(turn, block)
    case 'link':
      return (yield* enterLink(turn, block, next.entry))
        ? land(turn, block, next.entry.target)
        : leaveByDefault(turn, block)
    case 'wait':
      turn.conversation.waitingBlock = block
      return undefined
  }
}

/** By the block's own edge when it has one, else to the block below. */
export function leaveByDefault(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  return block.edgeId === undefined ? fallThrough(turn, block) : follow(turn, block, block.edgeId)
}

/** To the block below; behind the last block of a group along its own edge, without which the path ends. */
function fallThrough(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  if (block.following) return block.following
  return block.edgeId === undefined ? unwind(turn) : follow(turn, block, block.edgeId)
}

/** Along an edge. One that nothing carries ends the path, as if it were not there. */
export function follow(turn: Turn, block: CompiledBlock, edgeId: string): CompiledBlock | undefined {
  const target = targetOf(turn.front.program, edgeId)
  if (target) return land(turn, block, target)
  const description = `Edge "${edgeId}" does not exist: the path ends here`
  turn.log({ status: 'error', description, details: describePlace(block) })
  return unwind(turn)
}

/** The block at a target. An empty group ends the path; a missing one ends the conversation. */
export function land(turn: Turn, from: CompiledBlock | undefined, target: Target): CompiledBlock | undefined {
  const details = from ? { details: describePlace(from) } : {}
  if (target.kind === 'missing group') {
    turn.log({
      status: 'error',
      description: `Group "${target.groupId}" does not exist: nothing follows`,
      ...details,
    })
    return undefined
  }
  if (target.missingBlockId !== undefined) turn.log(missingBlockLog(target.missingBlockId, from))
  return target.kind === 'block' ? target.block : unwind(turn)
}

/** The end of a path: leaves linked flows until one of the flows below has somewhere to go on. */
export function unwind(turn: Turn): CompiledBlock | undefined {
  while (turn.conversation.frames.length > 1) {
    const { resumeAt } = leaveFrame(turn)
    if (resumeAt) return resumeAt
  }
  return undefined
}

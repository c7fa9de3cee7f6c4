import { ServiceError } from '../../lib/errors.ts'
import type { Effects } from '../model/effects.ts'
import { visibleError } from '../model/log-entry.ts'
import { findBlock, type Program, type Target, targetOf, topOf } from '../model/program.ts'
import type { UserInput } from '../model/step.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'
import { enterTarget } from './next-block.ts'
import { isAsked, takeInput } from './resume-walk.ts'
import { walk } from './walk.ts'

/** Start of a preview, other than the start event. */
export type StartFrom =
  | { readonly type: 'group'; readonly groupId: string; readonly blockId?: string }
  | { readonly type: 'block'; readonly blockId: string; readonly groupId?: string }
  | { readonly type: 'event'; readonly eventId: string }

/**
 * Runs the first turn of a conversation. A message sent along is taken as the answer to the first input when
 * nothing was shown before it (docs/behaviour/walk.md, "A message on a start"); otherwise it is left alone.
 *
 * Ends within the budgets of the turn. What `startFrom` names has been checked before; it throws BAD_REQUEST for a
 * message that is a command which the flow does not know.
 */
export function* start(
  turn: Turn,
  from: StartFrom | undefined,
  message: UserInput | undefined,
): Effects<TurnOutput> {
  if (turn.budget.isStopped) return turn.output
  try {
    const target = startTarget(turn, from)
    yield* walk(turn, target && enterTarget(turn, undefined, target))
    if (message && isAsked(turn)) yield* takeInput(turn, message)
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}

/** Throws BAD_REQUEST, naming it, for a place to start from that the flow does not have. */
export function checkStartFrom(program: Program, from: StartFrom | undefined): void {
  if (!from) return
  if (from.type === 'event') {
    if (!program.events.has(from.eventId)) throw refusal('event', from.eventId)
    return
  }
  const { groupId, blockId } = from
  if (groupId !== undefined && !program.groups.has(groupId)) throw refusal('group', groupId)
  if (blockId !== undefined && !findBlock(program, { blockId, groupId })) throw refusal('block', blockId)
}

/** Characters of an id that an error quotes. */
const quotedLength = 100

function refusal(kind: 'group' | 'block' | 'event', id: string): ServiceError {
  const message = `the flow has no ${kind} ${JSON.stringify(id.slice(0, quotedLength))} to start from`
  return new ServiceError('BAD_REQUEST', `Start ${kind} doesn't exist`, {
    problems: [{ pointer: `/startFrom/${kind}Id`, message }],
  })
}

/** A start that is not connected gives an empty conversation; only an edge that is named and missing is logged. */
function startTarget(turn: Turn, from: StartFrom | undefined): Target | undefined {
  const { program } = turn.currentFrame
  if (from && from.type !== 'event') {
    turn.journal?.went({ why: 'chosen place' })
    return placeOf(program, from)
  }
  const edgeId = from ? program.events.get(from.eventId)?.outgoingEdgeId : program.startEdgeId
  const target = targetOf(program, edgeId)
  if (from) turn.journal?.went({ why: 'event', eventId: from.eventId })
  else if (target) turn.journal?.went({ why: 'start edge', ...(edgeId !== undefined && { edgeId }) })
  if (target && edgeId !== undefined) turn.tally?.add('edge', turn.countedName(edgeId))
  if (!target && edgeId !== undefined) {
    const description = `Edge "${edgeId}" of the start does not exist: nothing can be shown`
    turn.output.log(visibleError({ description }))
  }
  return target
}

/** A block, in the named group where one is named, else the top of the group. */
function placeOf(
  program: Program,
  { groupId, blockId }: { readonly groupId?: string; readonly blockId?: string },
): Target | undefined {
  if (blockId !== undefined) {
    const block = findBlock(program, { blockId, groupId })
    return block && { kind: 'block', block }
  }
  const group = groupId === undefined ? undefined : program.groups.get(groupId)
  return group && topOf(group)
}

import type { FlowEvent } from '../../../schemas/flow.ts'
import { ServiceError } from '../../lib/errors.ts'
import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, type Program, type Target, targetOf } from '../model/program.ts'
import { type Reply, replyContent } from '../model/step.ts'
import { assign } from '../turn/assign-variable.ts'
import type { Turn } from '../turn/turn.ts'
import { enterSubroutine } from './flow-links.ts'
import { enterTarget } from './next-block.ts'
import { pushReturnPoint } from './return-stack.ts'

type ReplyEvent = Extract<FlowEvent, { type: 'reply' | 'invalidReply' }>

/** A reply that goes another way first. */
interface EventBranch {
  readonly event: ReplyEvent
  readonly target: Target
  readonly reply: Reply | undefined
}

/**
 * The event that a reply sets off before it is stored, or instead of being asked for again (docs/behaviour/walk.md,
 * "Events"). One that leads nowhere counts as absent.
 */
export function eventFor(
  turn: Turn,
  { reply, isRefused }: { reply: Reply | undefined; isRefused: boolean },
): EventBranch | undefined {
  const found =
    (isRefused ? connected(turn, 'invalidReply') : undefined) ?? (reply && connected(turn, 'reply'))
  return found && { ...found, reply }
}

function connected(turn: Turn, type: ReplyEvent['type']): Omit<EventBranch, 'reply'> | undefined {
  const { program } = turn.currentFrame
  const event = findEvent(program, type, ({ outgoingEdgeId }) => outgoingEdgeId !== undefined)
  if (!event) return undefined
  const target = targetOf(program, event.outgoingEdgeId)
  if (target && target.kind !== 'missing group') return { event, target }
  const description = `Event "${event.id}" leads nowhere: the reply is taken as if there were no event`
  turn.output.log(visibleError({ description }))
  return undefined
}

/** Leaves the input for where the event leads, to be taken up again by a Return block. */
export function branchToEvent(
  turn: Turn,
  block: CompiledBlock,
  { event, target, reply }: EventBranch,
): CompiledBlock | undefined {
  turn.journal?.went({ why: 'event', eventId: event.id })
  const { contentVariableId, inputTypeVariableId, inputNameVariableId } = event.options ?? {}
  write(turn, contentVariableId, reply && replyContent(reply))
  write(turn, inputTypeVariableId, block.handler?.inputName)
  write(turn, inputNameVariableId, block.group.title)
  // A refused reply is spent: the input is asked again.
  pushReturnPoint(turn, block, event.type === 'reply' ? reply : undefined)
  return enterTarget(turn, undefined, target)
}

function write(turn: Turn, variableId: string | undefined, value: string | undefined): void {
  if (variableId !== undefined) assign(turn, { variableId, value })
}

/**
 * Leaves for where a command leads, and comes back to the block that the conversation waits at by a Return block,
 * or, for older events, when the way ends. Throws BAD_REQUEST when the flow knows no such command.
 */
export function runCommand(turn: Turn, waiting: CompiledBlock, command: string): CompiledBlock | undefined {
  const { program } = turn.currentFrame
  const event = findEvent(program, 'command', ({ options }) => options?.command === command)
  if (!event) throw refusal('Command event not found')
  const target = targetOf(program, event.outgoingEdgeId)
  if (!target) throw refusal("Command event doesn't have a connected edge")
  if (target.kind === 'missing group') throw refusal("Command event doesn't have a connected group")
  turn.journal?.went({ why: 'event', eventId: event.id })
  if (event.options?.resumeAfter) enterSubroutine(turn, waiting)
  else pushReturnPoint(turn, waiting)
  return enterTarget(turn, undefined, target)
}

function refusal(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message, { problems: [{ pointer: '/message/command', message }] })
}

function findEvent<Type extends FlowEvent['type']>(
  { events }: Program,
  type: Type,
  fits: (event: Extract<FlowEvent, { type: Type }>) => boolean,
): Extract<FlowEvent, { type: Type }> | undefined {
  for (const event of events.values()) {
    const found = event.type === type ? (event as Extract<FlowEvent, { type: Type }>) : undefined
    if (found && fits(found)) return found
  }
  return undefined
}

import { ask, type Effects } from '../model/effects.ts'
import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, type Program, programIn, type Target } from '../model/program.ts'
import type { Continuation } from '../model/step.ts'
import type { Turn } from '../turn/turn.ts'
import { entryTargetOf, findGroup } from './find-group.ts'
import { enterLink } from './flow-links.ts'
import { enterTarget, nextByDefault, popFrames } from './next-block.ts'
import { pushReturnAfterJump } from './return-stack.ts'

type Jump = Extract<Continuation, { to: 'jump' }>

/** Goes on at another group of the flow; the path ends, with a log, where there is no such place. */
export function followJump(turn: Turn, block: CompiledBlock, jump: Jump): CompiledBlock | undefined {
  const target = findTarget(turn, block, jump)
  turn.journal?.went({ why: target ? 'jump' : 'missing group', groupId: jump.group.value })
  if (!target) return popFrames(turn)
  pushReturnAfterJump(turn, block)
  return enterTarget(turn, block, target)
}

function findTarget(turn: Turn, block: CompiledBlock, { group, blockId }: Jump): Target | undefined {
  const wanted = { groupIdOrTitle: group.value, jumpBlockId: block.id }
  const found = findGroup(turn.currentFrame.program, group.by, group.value)
  if (!found) return logMissing(turn, 'The group to jump to does not exist', wanted)
  if (blockId === undefined) return found.target
  return (
    found.block(blockId) ??
    logMissing(turn, 'The block to jump to is not in its group', { ...wanted, blockId })
  )
}

function logMissing(turn: Turn, description: string, wanted: object): undefined {
  turn.output.log(visibleError({ context: 'Jump', description, details: JSON.stringify(wanted) }))
}

type Link = Extract<Continuation, { to: 'link' }>

/** Enters the flow or group that a link names; the walk goes on after the link, with a log, where there is none. */
export function* followLink(
  turn: Turn,
  block: CompiledBlock,
  link: Link,
): Effects<CompiledBlock | undefined> {
  const { program: current } = turn.currentFrame
  const isCurrent = link.flowId === 'current' || link.flowId === current.id
  const program = isCurrent ? undefined : yield* findProgram(turn, link)
  if (!isCurrent && !program) return passLink(turn, block)
  const target = findEntry(program ?? current, link)
  if (!target || target.kind === 'missing group') {
    logFailure(
      turn,
      link.group
        ? `Group "${link.group.source}" was not found`
        : `Flow "${link.flowId}" has no start to enter by`,
    )
    return passLink(turn, block)
  }
  const isEntered = yield* enterLink(turn, block, { program, mergesResults: link.mergesResults })
  if (!isEntered) return passLink(turn, block)
  turn.journal?.went({ why: 'link', flowId: turn.currentFrame.program.id })
  return enterTarget(turn, block, target)
}

/** The walk goes on after a link that could not be followed. */
function passLink(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  turn.journal?.went({ why: 'link not followed' })
  return nextByDefault(turn, block)
}

function* findProgram(turn: Turn, { flowId }: Link): Effects<Program | undefined> {
  const linked = yield* ask({ type: 'link', flowId })
  // The type of the answer is opaque, since effects must not import programs; the executor hands over a whole program.
  if (linked.program) {
    const { conversation } = turn
    return programIn(conversation.frames[0].program.locale ?? conversation.locale, linked.program as Program)
  }
  logFailure(turn, linked.refusal)
  return undefined
}

function findEntry(program: Program, { group }: Link): Target | undefined {
  return group ? findGroup(program, group.by, group.value)?.target : entryTargetOf(program)
}

function logFailure(turn: Turn, details: string): void {
  turn.output.log(visibleError({ description: 'Flow link could not be followed', details }))
}

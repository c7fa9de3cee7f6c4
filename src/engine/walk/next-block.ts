import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, type Program, type Target, targetOf } from '../model/program.ts'
import { describeLocation, missingBlockLog } from '../turn/describe-location.ts'
import type { Turn } from '../turn/turn.ts'
import { leaveFrame } from './flow-links.ts'

/** The block that `leaveByDefault` goes to, as far as that is known without going there. */
export function peekNext({ edgeId, following }: CompiledBlock, program: Program): CompiledBlock | undefined {
  if (edgeId === undefined) return following
  const target = targetOf(program, edgeId)
  return target?.kind === 'block' ? target.block : undefined
}

/** Next block by the own edge when there is one, else in the group. */
export function nextByDefault(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  return block.edgeId === undefined ? nextInGroup(turn, block) : followEdge(turn, block, block.edgeId)
}

/** Next block of the group; after the last one by its own edge, without which the path ends. */
export function nextInGroup(turn: Turn, block: CompiledBlock): CompiledBlock | undefined {
  if (block.following) {
    turn.journal?.went({ why: 'next in group' })
    return block.following
  }
  return block.edgeId === undefined ? popFrames(turn) : followEdge(turn, block, block.edgeId)
}

/** Along an edge. One that nothing carries ends the path, as if it were not there. */
export function followEdge(turn: Turn, block: CompiledBlock, edgeId: string): CompiledBlock | undefined {
  const target = targetOf(turn.currentFrame.program, edgeId)
  turn.journal?.went({ why: target ? edgeKind(block, edgeId) : 'missing edge', edgeId })
  if (target) turn.tally?.add('edge', turn.countedName(edgeId))
  if (target) return enterTarget(turn, block, target)
  const description = `Edge "${edgeId}" does not exist: the path ends here`
  turn.output.log(visibleError({ description, details: describeLocation(block) }))
  return popFrames(turn)
}

const edgeKind = (block: CompiledBlock, edgeId: string) =>
  edgeId === block.edgeId ? 'own edge' : 'item edge'

/** The block at a target. An empty group ends the path; a missing one ends the conversation. */
export function enterTarget(
  turn: Turn,
  from: CompiledBlock | undefined,
  target: Target,
): CompiledBlock | undefined {
  if (target.kind === 'missing group') {
    turn.journal?.went({ why: 'missing group', groupId: target.groupId })
    turn.output.log(
      visibleError({
        description: `Group "${target.groupId}" does not exist: nothing follows`,
        ...(from && { details: describeLocation(from) }),
      }),
    )
    return undefined
  }
  if (target.missingBlockId !== undefined) turn.output.log(missingBlockLog(target.missingBlockId, from))
  if (target.kind === 'block') return target.block
  turn.journal?.went({ why: 'empty group', groupId: target.group.id })
  return popFrames(turn)
}

/** The end of a path: leaves linked flows until one of the callers has somewhere to go on. */
export function popFrames(turn: Turn): CompiledBlock | undefined {
  while (turn.conversation.frames.length > 1) {
    const { resumeAt } = leaveFrame(turn)
    turn.journal?.went({ why: 'link ended', flowId: turn.currentFrame.program.id })
    if (resumeAt) return resumeAt
  }
  turn.journal?.went({ why: 'end' })
  return undefined
}

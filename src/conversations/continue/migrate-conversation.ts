import type { Conversation, Frame, Frames } from '../../engine/model/conversation.ts'
import { type CompiledBlock, findBlock, type Program } from '../../engine/model/program.ts'
import { ServiceError } from '../../lib/errors.ts'
import { migrateVariables } from './migrate-variables.ts'

/**
 * The same conversation, with every frame that is on some version of a flow on this version of it
 * (docs/behaviour/walk.md, "Updating a running session").
 *
 * Throws CONFLICT, naming all that is missing, when a place that the conversation stands at or comes back to is not
 * in this version.
 */
export function migrateConversation(conversation: Conversation, to: Program): Conversation {
  const missing = new Set<string>()
  const find: Find = (block, { program, why, takesReply = false }) => {
    const name = { blockId: block.id, groupId: block.group.id }
    const found = findBlock(program, name) ?? program.blocks.get(block.id)
    if (found && (!takesReply || canStandIn(found, block))) return found
    missing.add(`block "${block.id}", ${why}`)
    return undefined
  }
  const frames = moveFrames(conversation.frames, to, find)
  const moved: Conversation = {
    ...conversation,
    frames,
    returnStack: moveReturnMarks(conversation, frames, find),
    transcript: conversation.transcript ?? (to.needsTranscript ? [] : undefined),
    waitingBlock:
      conversation.waitingBlock &&
      find(conversation.waitingBlock, { program: to, why: 'where it waits', takesReply: true }),
  }
  if (missing.size === 0) return moved
  throw new ServiceError(
    'CONFLICT',
    `The published version lacks what the session needs: ${[...missing].join('; ')}`,
  )
}

/** Finds the block that is in the place of another; notes down when there is none. */
type Find = (
  block: CompiledBlock,
  place: { program: Program; why: string; takesReply?: boolean },
) => CompiledBlock | undefined

/** An input judges a reply to another input by its own rules; what other blocks wait for is particular to each type. */
function canStandIn(found: CompiledBlock, block: CompiledBlock): boolean {
  return block.handler?.kind === 'input' ? found.handler?.kind === 'input' : found.type === block.type
}

function moveFrames(frames: readonly Frame[], to: Program, find: Find): Frames {
  const moved: Frame[] = []
  for (const [index, frame] of frames.entries()) {
    const caller = moved.at(-1)
    const isMoved = frame.program.id === to.id
    // A flow that linked to itself shares its variables with its caller's frame, and goes on sharing them.
    const shared = frame.variables === frames[index - 1]?.variables ? caller?.variables : undefined
    moved.push({
      ...frame,
      program: isMoved ? to : frame.program,
      variables: shared ?? (isMoved ? migrateVariables(frame.variables, to.variables) : frame.variables),
      resumeAt:
        frame.resumeAt &&
        caller &&
        find(frame.resumeAt, { program: caller.program, why: 'where it goes on after a link' }),
    })
  }
  return moved as Frames
}

function moveReturnMarks({ returnStack }: Conversation, frames: readonly Frame[], find: Find) {
  return returnStack.flatMap((mark) => {
    const program = frames[mark.frameDepth]?.program
    const why = 'which a Return block leads back to'
    const block = program && find(mark.block, { program, why, takesReply: mark.reply !== undefined })
    return block ? [{ ...mark, block }] : []
  })
}

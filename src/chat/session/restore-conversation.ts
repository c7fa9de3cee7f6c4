import type { Conversation, Frame, ReturnPoint } from '../../engine/model/conversation.ts'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import { findBlock, type Program } from '../../engine/model/program.ts'
import { Variables } from '../../engine/values/variables.ts'
import type { QueueEntry, Session, StoredReturnMark } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { resolveProgram } from './resolve-program.ts'

/** What a conversation is put together from, besides its session. */
export type ConversationSources = Pick<
  ChatDependencies,
  'published' | 'programs' | 'drafts' | 'definitions' | 'ports'
>

/**
 * Brings a stored session back to life: the inverse of `sessionRecord`. Undefined when a definition that it is
 * pinned to has gone.
 */
export async function restoreConversation(
  session: Session,
  { published, programs: ofPublished, drafts, definitions, ports }: ConversationSources,
): Promise<Conversation | undefined> {
  const sources = { published, definitions, ports, programs: session.kind === 'live' ? ofPublished : drafts }
  const frames: Frame[] = []
  for (let index = session.queue.length - 1; index >= 0; index--) {
    const entry = session.queue[index] as QueueEntry
    const program = await resolveProgram(entry, sources)
    if (!program) return undefined
    frames.push(frameOf(entry, program, frames.at(-1)))
  }
  const { isStreamEnabled = false, isProgressTracked = false, answered, transcript } = session
  const conversation: Conversation = {
    frames,
    returnStack: (session.returnMarks ?? []).flatMap((mark) => returnMarkOf(mark, frames)),
    isLive: session.kind === 'live',
    isStreamEnabled,
    isProgressTracked,
    acceptedReplies: answered,
    mails: session.mails ?? 0,
    transcript: transcript && [...transcript],
    waitingBlock: undefined,
  }
  if (!session.waitingBlock) return conversation
  conversation.waitingBlock = findBlock(currentFrameOf(conversation).program, session.waitingBlock)
  return conversation.waitingBlock && conversation
}

function frameOf(entry: QueueEntry, program: Program, caller: Frame | undefined): Frame {
  const { variables, inherited, sessionOnly, resumeAt } = entry
  const shared = entry.sharesVariables ? caller : undefined
  return {
    program,
    variables: shared?.variables ?? new Variables(program.variables, variables, inherited, sessionOnly),
    answers: shared?.answers ?? new Map(entry.answers),
    resultId: entry.resultId,
    resumeAt: resumeAt && caller && findBlock(caller.program, resumeAt),
    mergesResults: entry.mergesResults === true,
    isSubroutine: entry.isAside === true,
  }
}

function returnMarkOf({ height, reply, ...name }: StoredReturnMark, frames: readonly Frame[]): ReturnPoint[] {
  const program = frames[height]?.program
  const block = program && findBlock(program, name)
  return block ? [{ frameDepth: height, block, ...(reply && { reply }) }] : []
}

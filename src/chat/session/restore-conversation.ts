import type { Conversation, Frame, ReturnMark } from '../../engine/model/conversation.ts'
import { frontOf } from '../../engine/model/conversation.ts'
import { findBlock, type Program } from '../../engine/model/program.ts'
import { Variables } from '../../engine/values/variables.ts'
import type { QueueEntry, Session, StoredReturnMark } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { findProgram } from './resolve-program.ts'

/** What a conversation is put together from, besides its session. */
export type ConversationSources = Pick<
  ChatDependencies,
  'published' | 'programs' | 'drafts' | 'definitions' | 'ports'
>

/**
 * Brings a stored session back to life: the inverse of `sessionRecord`. Undefined when a definition that it is
 * pinned to has gone.
 */
export async function conversationOf(
  session: Session,
  { published, programs: ofPublished, drafts, definitions, ports }: ConversationSources,
): Promise<Conversation | undefined> {
  const sources = { published, definitions, ports, programs: session.kind === 'live' ? ofPublished : drafts }
  const frames: Frame[] = []
  for (let index = session.queue.length - 1; index >= 0; index--) {
    const entry = session.queue[index] as QueueEntry
    const program = await findProgram(entry, sources)
    if (!program) return undefined
    frames.unshift(frameOf(entry, program, frames[0]))
  }
  const { isStreamEnabled = false, isProgressTracked = false, answered, transcript } = session
  const conversation: Conversation = {
    frames,
    returnMarks: (session.returnMarks ?? []).flatMap((mark) => returnMarkOf(mark, frames)),
    isLive: session.kind === 'live',
    isStreamEnabled,
    isProgressTracked,
    answered,
    mails: session.mails ?? 0,
    transcript: transcript && [...transcript],
    waitingBlock: undefined,
  }
  if (!session.waitingBlock) return conversation
  conversation.waitingBlock = findBlock(frontOf(conversation).program, session.waitingBlock)
  return conversation.waitingBlock && conversation
}

function frameOf(entry: QueueEntry, program: Program, behind: Frame | undefined): Frame {
  const { variables, inherited, sessionOnly, resumeAt } = entry
  const shared = entry.sharesVariables ? behind : undefined
  return {
    program,
    variables: shared?.variables ?? new Variables(program.variables, variables, inherited, sessionOnly),
    answers: shared?.answers ?? new Map(entry.answers),
    resultId: entry.resultId,
    resumeAt: resumeAt && behind && findBlock(behind.program, resumeAt),
    mergesResults: entry.mergesResults === true,
    isAside: entry.isAside === true,
  }
}

function returnMarkOf({ height, reply, ...name }: StoredReturnMark, frames: readonly Frame[]): ReturnMark[] {
  const program = frames[frames.length - 1 - height]?.program
  const block = program && findBlock(program, name)
  return block ? [{ height, block, ...(reply && { reply }) }] : []
}

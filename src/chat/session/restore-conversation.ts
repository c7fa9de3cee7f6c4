import type { Conversation, Frame, ReturnPoint } from '../../engine/model/conversation.ts'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import { findBlock, type Program } from '../../engine/model/program.ts'
import { Variables } from '../../engine/values/variables.ts'
import type { MaybePromise } from '../../stores/conversation-store.ts'
import type { QueueEntry, Session, StoredReturnMark } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type ProgramSources, resolveProgram } from './resolve-program.ts'

/** What a conversation is put together from, besides its session. */
export type ConversationSources = Pick<
  ChatDependencies,
  'published' | 'programs' | 'drafts' | 'definitions' | 'ports'
>

/**
 * Brings a stored session back to life, at once where its programs are those that are published. Undefined when a
 * definition that it is pinned to has gone.
 */
export function restoreConversation(
  session: Session,
  { published, programs: ofPublished, drafts, definitions, ports }: ConversationSources,
): MaybePromise<Conversation | undefined> {
  const sources = { published, definitions, ports, programs: session.kind === 'live' ? ofPublished : drafts }
  const programs = resolvePrograms(session.queue, sources)
  const restore = (found: readonly Program[] | undefined) => found && conversationOf(session, found)
  return programs instanceof Promise ? programs.then(restore) : restore(programs)
}

/** The programs of the entries, one after the other; undefined as soon as one has gone. */
function resolvePrograms(
  queue: readonly QueueEntry[],
  sources: ProgramSources,
  resolved: readonly Program[] = [],
): MaybePromise<readonly Program[] | undefined> {
  const programs = [...resolved]
  while (programs.length < queue.length) {
    const program = resolveProgram(queue[programs.length] as QueueEntry, sources)
    if (program instanceof Promise) {
      return program.then((found) => found && resolvePrograms(queue, sources, [...programs, found]))
    }
    if (!program) return undefined
    programs.push(program)
  }
  return programs
}

function conversationOf(session: Session, programs: readonly Program[]): Conversation | undefined {
  const frames: Frame[] = []
  for (let index = session.queue.length - 1; index >= 0; index--) {
    const entry = session.queue[index] as QueueEntry
    frames.push(frameOf(entry, programs[index] as Program, frames.at(-1)))
  }
  const { isStreamEnabled = false, isProgressTracked = false, answered, transcript } = session
  const conversation: Conversation = {
    frames,
    returnStack: (session.returnMarks ?? []).flatMap((mark) => returnMarkOf(mark, frames)),
    isLive: session.kind === 'live',
    isMocked: session.mocks !== undefined,
    isStreamEnabled,
    isProgressTracked,
    acceptedReplies: answered,
    mails: session.mails ?? 0,
    payment: session.payment,
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

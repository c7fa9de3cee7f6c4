import type { Conversation, Frame } from '../../engine/model/conversation.ts'
import { nameOfBlock, type Program } from '../../engine/model/program.ts'
import type { QueueEntry, Session } from '../../sessions/session.ts'

/** Facts of a session besides its conversation. */
export interface SessionFacts
  extends Pick<
    Session,
    | 'id'
    | 'createdAt'
    | 'publicId'
    | 'isTrusted'
    | 'needsToken'
    | 'contact'
    | 'trace'
    | 'mocks'
    | 'recording'
    | 'timers'
    | 'said'
    | 'channel'
    | 'counted'
  > {
  readonly isRegisteredOnly?: boolean
}

/** The part of a conversation that outlives the turn. One that ended keeps nothing but what its visitor may not have seen yet. */
export function serializeConversation(
  conversation: Conversation,
  facts: SessionFacts,
  { timers, said }: Pick<Session, 'timers' | 'said'> = facts,
): Session {
  const { waitingBlock, isLive, locale, isStreamEnabled, isProgressTracked, acceptedReplies, transcript } =
    conversation
  const isWaiting = waitingBlock !== undefined && !conversation.hasEnded
  const state = facts.isRegisteredOnly ? 'registered' : isWaiting ? 'waiting' : 'ended'
  const { id, createdAt, publicId, isTrusted, needsToken, trace, mocks, recording, channel, counted } = facts
  const kind = isLive ? 'live' : 'preview'
  if (state === 'ended') {
    const { program, resultId } = conversation.frames[0]
    const result = resultId === undefined ? undefined : { flowId: program.id, id: resultId }
    // A preview that shows what it did shows it to the same callers as before.
    const written = (trace || recording) && { trace, recording, isTrusted, needsToken }
    return {
      id,
      kind,
      state,
      createdAt,
      queue: [],
      answered: acceptedReplies,
      publicId,
      result,
      said,
      channel,
      ...written,
    }
  }
  const { frames, memory } = conversation
  const { contact } = facts
  return {
    id,
    kind,
    state,
    createdAt,
    // Stored from the top of the stack down.
    queue: frames.map(queueEntry).reverse(),
    answered: acceptedReplies,
    mails: conversation.mails || undefined,
    publicId,
    isTrusted,
    needsToken,
    waitingBlock: waitingBlock && nameOfBlock(programAt(frames, frames.length - 1), waitingBlock),
    locale,
    isStreamEnabled: isStreamEnabled || undefined,
    isProgressTracked: isProgressTracked || undefined,
    returnMarks: conversation.returnStack.length > 0 ? returnMarksOf(conversation) : undefined,
    transcript,
    contact:
      contact && memory && memory.written.size > 0 ? { ...contact, memory: [...memory.values] } : contact,
    payment: conversation.payment,
    trace,
    mocks,
    recording,
    timers,
    said,
    pause: conversation.pause,
    channel,
    counted,
  }
}

/**
 * Names the state of a session, for `ETag` and `If-Match`: every commit changes it, and a session that is started anew
 * under the same id never gets a name of the one before.
 */
export function sessionVersion({
  session,
  revision,
}: {
  readonly session: Pick<Session, 'createdAt'>
  readonly revision: number
}): string {
  return `${revision}-${session.createdAt.toString(36)}`
}

function returnMarksOf({ frames, returnStack }: Conversation): Session['returnMarks'] {
  return returnStack.map(({ frameDepth, block, reply }) => ({
    height: frameDepth,
    ...nameOfBlock(programAt(frames, frameDepth), block),
    reply,
  }))
}

function queueEntry(frame: Frame, index: number, frames: readonly Frame[]): QueueEntry {
  const { program, variables, resultId, resumeAt, answers } = frame
  const sharesVariables = variables === frames[index - 1]?.variables
  const own = sharesVariables ? undefined : variables
  return {
    program: program.hash,
    flowId: program.id,
    variables: own ? [...own.changed] : [],
    answers: own ? [...answers] : [],
    sharesVariables: sharesVariables || undefined,
    inherited: own && own.inherited.size > 0 ? [...own.inherited] : undefined,
    sessionOnly: own && own.sessionOnly.size > 0 ? [...own.sessionOnly] : undefined,
    resultId,
    resumeAt: resumeAt && nameOfBlock(programAt(frames, index - 1), resumeAt),
    mergesResults: frame.mergesResults || undefined,
    isAside: frame.isSubroutine || undefined,
  }
}

function programAt(frames: readonly Frame[], index: number): Program {
  const frame = frames[index]
  if (!frame) throw new Error('a place belongs to a flow that is being walked')
  return frame.program
}

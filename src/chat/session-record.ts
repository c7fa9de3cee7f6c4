import { type Conversation, type Frame, rootOf } from '../engine/conversation.ts'
import type { QueueEntry, Session } from '../stores/session.ts'

/** What is known of a session besides its conversation. */
export interface SessionFacts extends Pick<Session, 'id' | 'createdAt' | 'publicId' | 'isTrusted'> {
  readonly isRegisteredOnly?: boolean
}

/** The part of a conversation that outlives the turn. One that ended keeps nothing that was said. */
export function sessionRecord(conversation: Conversation, facts: SessionFacts): Session {
  const { waitingBlock, isLive, isStreamEnabled, isProgressTracked, answered, transcript } = conversation
  const state = facts.isRegisteredOnly ? 'registered' : waitingBlock ? 'waiting' : 'ended'
  const { id, createdAt, publicId, isTrusted } = facts
  const common = { id, kind: isLive ? ('live' as const) : ('preview' as const), state, createdAt } as const
  if (state === 'ended') {
    const { program, resultId } = rootOf(conversation)
    const result = resultId !== undefined && { result: { flowId: program.id, id: resultId } }
    return { ...common, queue: [], answered, ...(publicId !== undefined && { publicId }), ...result }
  }
  const returnMarks = conversation.returnMarks.map(({ height, block, reply }) => ({
    height,
    blockId: block.id,
    ...(reply && { reply }),
  }))
  return {
    ...common,
    queue: conversation.frames.map(queueEntry),
    answered,
    ...(publicId !== undefined && { publicId }),
    ...(isTrusted && { isTrusted }),
    ...(waitingBlock && { waitingBlockId: waitingBlock.id }),
    ...(isStreamEnabled && { isStreamEnabled }),
    ...(isProgressTracked && { isProgressTracked }),
    ...(returnMarks.length > 0 && { returnMarks }),
    ...(transcript && { transcript }),
  }
}

function queueEntry(frame: Frame, index: number, frames: readonly Frame[]): QueueEntry {
  const { program, variables, resultId, resumeAt, answers } = frame
  const sharesVariables = variables === frames[index + 1]?.variables
  return {
    program: program.hash,
    flowId: program.id,
    variables: sharesVariables ? [] : [...variables.changed],
    answers: sharesVariables ? [] : [...answers],
    ...(sharesVariables && { sharesVariables }),
    ...(!sharesVariables && variables.inherited.size > 0 && { inherited: [...variables.inherited] }),
    ...(!sharesVariables && variables.sessionOnly.size > 0 && { sessionOnly: [...variables.sessionOnly] }),
    ...(resultId !== undefined && { resultId }),
    ...(resumeAt && { resumeAt: { blockId: resumeAt.id } }),
    ...(frame.mergesResults && { mergesResults: true }),
    ...(frame.isAside && { isAside: true }),
  }
}

import type { Conversation, Frame } from '../engine/conversation.ts'
import type { QueueEntry, Session } from '../stores/session.ts'

/** What is known of a session besides its conversation. */
export interface SessionFacts {
  readonly id: string
  readonly createdAt: number
  readonly isRegisteredOnly: boolean
  /** What the flow was published as; live sessions only. */
  readonly publicId?: string
}

/** The part of a conversation that outlives the turn. One that ended keeps nothing but the fact. */
export function sessionRecord(conversation: Conversation, facts: SessionFacts): Session {
  const { waitingBlock, isLive, isStreamEnabled, isProgressTracked, answered, transcript } = conversation
  const state = facts.isRegisteredOnly ? 'registered' : waitingBlock ? 'waiting' : 'ended'
  const { id, createdAt, publicId } = facts
  const common = { id, kind: isLive ? ('live' as const) : ('preview' as const), state, createdAt } as const
  if (state === 'ended') return { ...common, queue: [], answered }
  const returnMarks = conversation.returnMarks.map(({ height, block }) => ({ height, blockId: block.id }))
  return {
    ...common,
    queue: conversation.frames.map(queueEntry),
    answered,
    ...(publicId !== undefined && { publicId }),
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
  }
}

import { type Conversation, type Frame, rootOf } from '../engine/conversation.ts'
import { nameOfBlock, type Program } from '../engine/program.ts'
import type { QueueEntry, Session } from '../stores/session.ts'

/** What is known of a session besides its conversation. */
export interface SessionFacts
  extends Pick<Session, 'id' | 'createdAt' | 'publicId' | 'isTrusted' | 'payload'> {
  readonly isRegisteredOnly?: boolean
}

/** The part of a conversation that outlives the turn. One that ended keeps nothing that was said. */
export function sessionRecord(conversation: Conversation, facts: SessionFacts): Session {
  const { waitingBlock, isLive, isStreamEnabled, isProgressTracked, answered, transcript } = conversation
  const state = facts.isRegisteredOnly ? 'registered' : waitingBlock ? 'waiting' : 'ended'
  const { id, createdAt, publicId, isTrusted, payload } = facts
  const common = { id, kind: isLive ? ('live' as const) : ('preview' as const), state, createdAt } as const
  if (state === 'ended') {
    const { program, resultId } = rootOf(conversation)
    const result = resultId !== undefined && { result: { flowId: program.id, id: resultId } }
    return { ...common, queue: [], answered, ...(publicId !== undefined && { publicId }), ...result }
  }
  const { frames } = conversation
  const returnMarks = conversation.returnMarks.map(({ height, block, reply }) => ({
    height,
    ...nameOfBlock(programAt(frames, frames.length - 1 - height), block),
    ...(reply && { reply }),
  }))
  return {
    ...common,
    queue: frames.map(queueEntry),
    answered,
    ...(conversation.mails > 0 && { mails: conversation.mails }),
    ...(publicId !== undefined && { publicId }),
    ...(isTrusted && { isTrusted }),
    ...(payload !== undefined && { payload }),
    ...(waitingBlock && { waitingBlock: nameOfBlock(programAt(frames, 0), waitingBlock) }),
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
    ...(resumeAt && { resumeAt: nameOfBlock(programAt(frames, index + 1), resumeAt) }),
    ...(frame.mergesResults && { mergesResults: true }),
    ...(frame.isAside && { isAside: true }),
  }
}

function programAt(frames: readonly Frame[], index: number): Program {
  const frame = frames[index]
  if (!frame) throw new Error('a place belongs to a flow that is being walked')
  return frame.program
}

import type { Frame } from '../engine/conversation.ts'
import type { Output, Turn } from '../engine/turn.ts'
import type { Result } from '../stores/result-store.ts'

export interface ResultFacts {
  readonly sessionId: string
  readonly now: number
  /** The record that this conversation goes on with. */
  readonly earlier: Result | undefined
}

/**
 * The results that a live turn writes: that of the flow that was started, and those of linked flows that keep
 * their results to themselves (docs/behaviour.md, "Flow links"). Each is written once, by the flow that owns it.
 */
export function resultRecords({ conversation, output }: Turn, facts: ResultFacts): Result[] {
  const { frames, waitingBlock } = conversation
  // An embed may go on waiting for its event: nothing more is asked of the visitor.
  const isOver = waitingBlock === undefined || waitingBlock.handler?.kind === 'bubble'
  const owners = frames.filter(({ resultId }, index) => resultId !== frames[index + 1]?.resultId)
  const write = (frame: Frame, isCompleted: boolean) => recordOf(frame, { ...facts, output, isCompleted })
  return [
    ...owners.map((frame) => write(frame, isOver && frame.answers.size > 0)),
    ...output.finished.map((frame) => write(frame, true)),
  ]
}

interface RecordFacts extends ResultFacts {
  readonly output: Output
  readonly isCompleted: boolean
}

function recordOf(frame: Frame, facts: RecordFacts): Result {
  const { program, variables, resultId } = frame
  if (resultId === undefined) throw new Error('a live flow has a result')
  const { sessionId, now, output } = facts
  const earlier = facts.earlier?.id === resultId ? facts.earlier : undefined
  const given = output.answers.filter((answer) => answer.resultId === resultId)
  const kept = [...variables.entries()].filter(
    ([{ id, isSessionVariable }, value]) =>
      value !== null && !isSessionVariable && !variables.sessionOnly.has(id),
  )
  return {
    id: resultId,
    flowId: program.id,
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
    variables: kept.map(([{ id, name }, value]) => ({ id, name, value })),
    answers: [...(earlier?.answers ?? []), ...given.map(({ resultId: _, ...answer }) => answer)],
    hasStarted: frame.answers.size > 0,
    isCompleted: facts.isCompleted || earlier?.isCompleted === true,
    isArchived: false,
    lastChatSessionId: sessionId,
  }
}

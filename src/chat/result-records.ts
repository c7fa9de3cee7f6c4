import type { Frame } from '../engine/conversation.ts'
import type { Turn } from '../engine/turn.ts'
import type { ResultStore, ResultUpdate } from '../stores/result-store.ts'

export interface ResultFacts {
  readonly sessionId: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Writes what a turn changes about results; previews have none. */
export async function saveResults(
  turn: Turn,
  facts: ResultFacts,
  { results }: { readonly results: ResultStore },
): Promise<void> {
  if (!turn.conversation.isLive) return
  await Promise.all(resultUpdates(turn, facts).map((update) => results.update(update)))
}

/**
 * The results that a live turn writes: that of the flow that was started, and those of linked flows that keep
 * their results to themselves (docs/behaviour.md, "Flow links"). Each is written once, by the flow that owns it.
 */
export function resultUpdates({ conversation, output }: Turn, facts: ResultFacts): ResultUpdate[] {
  const { frames, waitingBlock } = conversation
  // An embed may go on waiting for its event: nothing more is asked of the visitor.
  const isOver = waitingBlock === undefined || waitingBlock.handler?.kind === 'bubble'
  const owners = frames.filter(({ resultId }, index) => resultId !== frames[index + 1]?.resultId)
  const write = (frame: Frame, isCompleted: boolean) =>
    updateOf(frame, { ...facts, output, isCompleted, isRoot: frame === frames.at(-1) })
  return [
    ...owners.map((frame) => write(frame, isOver && frame.answers.size > 0)),
    ...output.finished.map((frame) => write(frame, true)),
  ]
}

interface UpdateFacts extends ResultFacts {
  readonly output: Turn['output']
  readonly isCompleted: boolean
  /** Whether this is the flow that was started, to whose result the logs go. */
  readonly isRoot: boolean
}

function updateOf(frame: Frame, facts: UpdateFacts): ResultUpdate {
  const { program, variables, resultId } = frame
  if (resultId === undefined) throw new Error('a live flow has a result')
  const { sessionId, now, output, isCompleted, isRoot } = facts
  const isOwn = (part: { readonly resultId: string | undefined }) => part.resultId === resultId
  const kept = [...variables.entries()].filter(
    ([{ id, isSessionVariable }, value]) =>
      value !== null && !isSessionVariable && !variables.sessionOnly.has(id),
  )
  return {
    id: resultId,
    flowId: program.id,
    now,
    mayCreate: true,
    variables: kept.map(([{ id, name }, value]) => ({ id, name, value })),
    answers: output.answers.filter(isOwn).map(({ resultId: _, ...answer }) => answer),
    transcript: output.said.filter(isOwn).map(({ role, text }) => ({ role, text })),
    logs: isRoot ? output.logs : [],
    hasStarted: frame.answers.size > 0,
    isCompleted,
    lastChatSessionId: sessionId,
  }
}

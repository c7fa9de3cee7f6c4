import type { ChatDependencies } from '../conversations/dependencies.ts'
import type { Frame } from '../engine/model/conversation.ts'
import { type LogEntry, logForAuthors } from '../engine/model/log-entry.ts'
import type { Program } from '../engine/model/program.ts'
import type { Turn } from '../engine/turn/turn.ts'
import { maskOf } from '../engine/turn/turn-mask.ts'
import type { Added } from '../engine/turn/turn-output.ts'
import type { Variables } from '../engine/values/variables.ts'
import type { PlacedLog, ResultUpdate, ResultVariable, ResultVisit } from '../stores/result-store.ts'
import { maskedUpdate } from './masked-result.ts'

interface ResultFacts {
  readonly sessionId: string
  readonly requestId?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of the flow that was started, where it is counted. */
  readonly visit?: ResultVisit | undefined
}

type Readers = Pick<ChatDependencies, 'areResultsRead'>

/** Whether the results of a flow are kept (docs/api.md 4.6): those that cannot be read are not. */
export function areResultsKept({ remembersVisitors }: Program, { areResultsRead }: Readers): boolean {
  return areResultsRead || remembersVisitors
}

/**
 * The results that a live turn writes: that of the flow that was started, and those of linked flows that keep
 * their results to themselves (docs/behaviour/walk.md, "Flow links"). Each is written once, by the flow that owns it.
 * Previews write none.
 */
export function collectResultUpdates(
  turn: Turn,
  facts: ResultFacts,
  readers: Readers,
): readonly ResultUpdate[] {
  const { conversation, output } = turn
  const { frames, waitingBlock, isLive, locale } = conversation
  if (!isLive) return nothing
  // An embed may go on waiting for its event: nothing more is asked of the visitor.
  const isOver = waitingBlock === undefined || waitingBlock.handler?.kind === 'bubble'
  const updates: ResultUpdate[] = []
  for (let index = frames.length - 1; index >= 0; index--) {
    const frame = frames[index] as Frame
    if (frame.resultId === frames[index - 1]?.resultId || !areResultsKept(frame.program, readers)) continue
    // The logs and the whole transcript go to the flow that was started.
    const isRoot = index === 0
    const logs = isRoot ? output.logs.map(placedLog) : []
    updates.push(
      updateOf(frame, { facts, output, logs, isRoot, locale, isCompleted: isOver && frame.answers.size > 0 }),
    )
  }
  for (const frame of output.finished) {
    if (!areResultsKept(frame.program, readers)) continue
    updates.push(updateOf(frame, { facts, output, logs: [], locale, isCompleted: true }))
  }
  const mask = updates.length > 0 ? maskOf(turn) : undefined
  return mask ? updates.map((update) => maskedUpdate(update, mask)) : updates
}

const nothing: readonly ResultUpdate[] = Object.freeze([])

interface TurnOfResult {
  readonly facts: ResultFacts
  readonly output: Turn['output']
  readonly logs: readonly PlacedLog[]
  readonly isRoot?: boolean
  readonly locale: string | undefined
  readonly isCompleted: boolean
}

function updateOf(
  { program, variables, resultId, answers }: Frame,
  { facts, output, logs, isRoot = false, locale, isCompleted }: TurnOfResult,
): ResultUpdate {
  if (resultId === undefined) throw new Error('a live flow has a result')
  return {
    id: resultId,
    flowId: program.id,
    now: facts.now,
    variables: keptVariables(variables, program.retention?.secret !== undefined),
    answers: partsOf(output.answers, resultId),
    transcript: partsOf(output.said, isRoot ? undefined : resultId),
    logs,
    requestId: facts.requestId,
    hasStarted: answers.size > 0,
    isCompleted,
    lastChatSessionId: facts.sessionId,
    locale,
    visit: isRoot ? facts.visit : undefined,
    retention: program.retention,
  }
}

/** Those of one result, or of all. */
function partsOf<Part>(added: readonly Added<Part>[], resultId: string | undefined): Part[] {
  const own = resultId === undefined ? added : added.filter((each) => each.resultId === resultId)
  return own.map(({ part }) => part)
}

function keptVariables(variables: Variables, keepsSecrets: boolean): ResultVariable[] {
  const kept: ResultVariable[] = []
  for (const { id, name, isSessionVariable, sensitivity } of variables.held()) {
    if (isSessionVariable || variables.sessionOnly.has(id)) continue
    if (sensitivity === 'secret' && !keepsSecrets) continue
    kept.push({ id, name, value: variables.get(id) ?? null, ...(sensitivity && { sensitivity }) })
  }
  return kept
}

function placedLog(entry: LogEntry): PlacedLog {
  const { blockType: _, ...place } = entry.place ?? {}
  return { ...logForAuthors(entry), ...place }
}

import type { Conversation } from '../../engine/model/conversation.ts'
import type { Effects } from '../../engine/model/effects.ts'
import { renderDynamicTheme } from '../../engine/templates/dynamic-theme.ts'
import { createTurn } from '../../engine/turn/block-context.ts'
import { trimTranscript } from '../../engine/turn/transcript.ts'
import type { Turn, TurnOptions } from '../../engine/turn/turn.ts'
import type { TurnMeasures } from '../../ports/metrics-port.ts'
import type { RecordedSession } from '../../sessions/recorded-session.ts'
import type { ChatDependencies, TurnDependencies } from '../dependencies.ts'
import { createTurnExecutor } from '../effects/create-turn-executor.ts'
import type { EffectExecutor } from '../effects/effect-executor.ts'
import { reportUnused } from '../effects/mocks/report-unused.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { isRecorded, type RecordingWish } from '../recording/record-turns.ts'
import { callSpans } from '../telemetry/call-spans.ts'
import { beginTurnSpan, endFailedTurn, endTurnSpan } from '../telemetry/turn-spans.ts'
import { EffectRunner } from './effect-runner.ts'
import { Journal } from './journal.ts'
import { hasErrors, reportDefects, reportErrors } from './report-turn.ts'

/** A turn that is run: for whom, by what, and what is written down of it. */
export interface TurnRun {
  readonly turn: Turn
  readonly owner: TurnOwner
  readonly runner: EffectRunner
  /** Undefined where nobody observes the turn. */
  readonly journal: Journal | undefined
  readonly deps: TurnDependencies
}

/**
 * The same dependencies with the limits of the owner of the turn. An anonymous preview has its own, and waits for its turn
 * with its like.
 */
export function withTurnLimits(
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  deps: ChatDependencies,
): ChatDependencies {
  return kind === 'live' || isTrusted ? deps : { ...deps, ...deps.anonymousPreviews }
}

/** The parts of a session that ask for a journal. */
interface ObservedSession {
  readonly trace?: unknown
  readonly recording?: RecordedSession | RecordingWish | undefined
}

/** Opens the journal of a turn that begins; undefined where nobody reads one. */
export function openJournal(
  { trace, recording }: ObservedSession,
  { owner, entry }: { readonly owner: TurnOwner; readonly entry: TurnMeasures['entry'] | 'stream' },
  { ports, recordings, spans }: Pick<ChatDependencies, 'ports' | 'recordings' | 'spans'>,
): Journal | undefined {
  const wanted = recording !== undefined && isRecorded(recording)
  if (!trace && !wanted && !spans) return undefined
  const turn = beginTurnSpan(owner, entry, { spans })
  return new Journal({
    ports,
    keepsSteps: trace !== undefined,
    leastCharacters: wanted ? 2 * recordings.maxLength : 0,
    spans: turn && spans && callSpans(turn, { spans, isAlone: owner.mocks !== undefined }),
  })
}

/** Terms on which a turn begins. */
interface TurnTerms {
  readonly owner: TurnOwner
  readonly textBubbleContentFormat?: TurnOptions['textBubbleContentFormat'] | undefined
  readonly journal?: Journal | undefined
  /** Performs effects in another way than most turns do; `startedAt` is when the turn began. */
  readonly createExecutor?: (turn: Turn, startedAt: number) => EffectExecutor
}

/** Options of a turn that nobody observes. */
export function turnOptions(
  { limits, publicUrl, areResultsRead, ports }: OptionSources,
  textBubbleContentFormat: TurnOptions['textBubbleContentFormat'] = 'richText',
): TurnOptions {
  return { limits, publicUrl, textBubbleContentFormat, areResultsRead, elapsed: ports.elapsed }
}

type OptionSources = Pick<TurnDependencies, 'limits' | 'publicUrl' | 'ports' | 'areResultsRead'>

/** Begins a turn of a conversation, which the turn changes in place. */
export function beginTurn(
  conversation: Conversation,
  { owner, textBubbleContentFormat, journal, createExecutor }: TurnTerms,
  deps: TurnDependencies,
): TurnRun {
  const options = turnOptions(deps, textBubbleContentFormat)
  const turn = createTurn(conversation, journal?.keepsSteps ? { ...options, journal } : options)
  const { ports, limits } = deps
  const runner = new EffectRunner({
    ports,
    turnMs: limits.turnMs,
    createExecutor: (startedAt) =>
      createExecutor?.(turn, startedAt) ?? createTurnExecutor(turn, owner, { deps, startedAt, journal }),
    noteCall: journal && ((effect) => journal.call(effect, turn)),
    onResumed: () => turn.budget.onResumed(),
    work: { turn, owner },
    admitHeavy: () => deps.heavyTurns.admit(owner.isUnderWay ? 'continue' : 'start'),
  })
  return { turn, owner, runner, journal, deps }
}

/** Walks a turn to its end. Defects that the walk survived are reported; what it throws ends the spans of the turn. */
export async function walkTurn(run: TurnRun, walk: Effects<unknown>): Promise<void> {
  const { turn, owner, runner, journal, deps } = run
  try {
    await runner.run(walk)
    const { dynamicTheme } = turn.conversation.frames[0].program
    if (dynamicTheme.length > 0) await runner.run(renderDynamicTheme(turn))
  } catch (error) {
    if (journal) endFailedTurn(journal, turn, error)
    throw error
  }
  const { transcript } = turn.conversation
  if (transcript) trimTranscript(transcript, deps.limits.variableLength)
  if (turn.output.defects.length > 0) reportDefects(turn.output, owner, deps.log)
  if (owner.mocks && isOver(run)) reportUnused(turn, owner.mocks)
}

/** A start that only registers has run nothing yet. */
const isOver = ({ turn: { conversation, budget }, owner }: TurnRun) =>
  !conversation.waitingBlock && (owner.isUnderWay || budget.trail.length > 0)

/** Reports to the operator what a turn took and which blocks failed in it, once all of it is done. */
export function endTurn({ turn, owner, runner, journal, deps }: TurnRun, entry: TurnMeasures['entry']): void {
  const engineMs = runner.usedMs
  const { sessionId, publicId: flow, requestLog } = owner
  const { budget, conversation } = turn
  const { logs } = turn.output
  const blocks = budget.trail.length
  const kind = conversation.isLive ? 'live' : 'preview'
  // A start that only registers has run nothing yet.
  const isCompleted = !conversation.waitingBlock && (entry !== 'start' || blocks > 0)
  deps.metrics.turnDone({ kind, flow, entry, blocks, isCompleted, engineMs })
  for (const limit of budget.limitsReached) deps.metrics.limitReached(limit)
  const hasErrorLogs = logs.length > 0 && hasErrors(logs)
  if (hasErrorLogs) reportErrors(logs, owner, deps)
  requestLog?.turnDone({ flow, sessionId, blocks, engineMs, hasErrorLogs })
  if (journal) endTurnSpan(journal, turn, engineMs)
}

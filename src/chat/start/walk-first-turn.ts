import type { StartChatBody } from '../../../schemas/start-chat.ts'
import type { ByteString } from '../../byte-string.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import { createTurn } from '../../engine/turn/create-turn.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { Variables } from '../../engine/values/variables.ts'
import { type StartFrom, start as walkFrom } from '../../engine/walk/start-walk.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type { RecordedSession } from '../../stores/recorded-session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { type RecordingWish, recordStart, tapeFor } from '../recording/record-turns.ts'
import type { TurnTape } from '../recording/turn-tape.ts'
import { writeStartResponse } from '../response/chat-response.ts'
import { renderWhole } from '../response/render-appearance.ts'
import { beginTurnSpan } from '../telemetry/turn-spans.ts'
import { emptyTrace, startRecording } from '../trace/session-trace.ts'
import type { EffectRunner } from '../turn/effect-runner.ts'
import { recordTurn } from '../turn/record-turn.ts'
import { createEffectRunner, runTurn, turnOptions } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { checkPrefilledSize, setInitialVariables } from './initial-variables.ts'
import type { ReturningVisitor } from './returning-visitor.ts'
import type { Start } from './start-snapshot-cache.ts'

/** What a start is asked for with, for published flows and drafts alike. */
export interface StartRequest {
  readonly program: Program
  readonly body: Pick<
    StartChatBody,
    'message' | 'isStreamEnabled' | 'isOnlyRegistering' | 'prefilledVariables' | 'textBubbleContentFormat'
  >
  readonly owner: TurnOwner
  /** Live sessions only. */
  readonly resultId?: string
  readonly startFrom?: StartFrom | undefined
  readonly visitor?: ReturningVisitor | undefined
  readonly isProgressTracked: boolean
  /** Live sessions only. */
  readonly publishedAt?: string | undefined
  /** Previews only: whether the turns are written down. */
  readonly isTraced?: boolean
  /** Whether the session is recorded, and what for. */
  readonly recordingWish?: RecordingWish | undefined
}

/** A start that was walked. */
export interface WalkedStart {
  readonly start: Start
  /** Whether the same request always gets the same: nothing depends on effects or on the visitor. */
  readonly isCacheable: boolean
}

/**
 * Sets a conversation up and walks its first turn; one that only registers is set up and left at that.
 * Throws BAD_REQUEST for a message that the conversation can do nothing with, and for too much that is prefilled.
 */
export async function walkFirstTurn(request: StartRequest, deps: ChatDependencies): Promise<WalkedStart> {
  const { program, body, resultId, publishedAt } = request
  const input = readUserInput(body.message)
  checkLength(input, deps.limits)
  checkPrefilledSize(body.prefilledVariables, program.variables)
  const tracing = request.isTraced ? startRecording(deps.ports) : undefined
  const turn = createTurn(newConversation(request), turnOptions(body, deps, tracing?.recorder))
  const tape = tapeFor({ recording: request.recordingWish }, deps)
  const span = beginTurnSpan(request.owner, 'start', deps)
  const owner = tape || span ? { ...request.owner, tape, span } : request.owner
  const driver = createEffectRunner(turn, owner, deps)
  const remembered = request.visitor?.variables ?? []
  setInitialVariables(turn, { prefilled: body.prefilledVariables, remembered })
  // Those of the flow that was started: a link may lead into another meanwhile.
  const { variables } = turn.currentFrame
  const tools = { driver, variables }
  const theme = program.theme.constant ?? (await renderWhole(program.theme, turn, tools))
  const isOnlyRegistering = body.isOnlyRegistering === true
  const walk = isOnlyRegistering ? walkNothing() : walkFrom(turn, request.startFrom, input)
  const running = runTurn(turn, walk, { driver, owner, chat: deps })
  if (running instanceof Promise) await running
  const settings = program.settings.constant ?? (await renderWhole(program.settings, turn, tools))
  recordTurn(turn, { entry: 'start', driver, owner }, deps)
  const createdAt = deps.ports.now()
  const trace =
    tracing && (isOnlyRegistering ? emptyTrace : tracing.addTo(emptyTrace, { turn, driver, entry: 'start' }))
  const { sessionId } = owner
  const facts = { sessionId, now: createdAt, requestId: owner.trace?.requestId }
  const first = { turn, theme, settings }
  const start: Start = {
    sessionId,
    resultId,
    createdAt,
    conversation: turn.conversation,
    isOnlyRegistering,
    results: isOnlyRegistering ? [] : collectResultUpdates(turn, facts, deps),
    response: writeStartResponse(first, { publishedAt, isOnlyRegistering, trace: trace?.kept.at(-1) }),
    blocks: turn.budget.trail.length,
    logs: turn.output.logs,
    trace,
    mocks: owner.mocks?.kept,
    recording:
      tape &&
      recordFirstTurn(request, {
        turn,
        tape,
        response: writeStartResponse(first, { publishedAt, isOnlyRegistering }),
        deps,
      }),
  }
  return { start, isCacheable: isCacheable(turn, driver) }
}

function isCacheable({ readsVisitorData, budget, output }: Turn, { hasAsked }: EffectRunner): boolean {
  return !hasAsked && !readsVisitorData && budget.limitsReached.length === 0 && output.defects.length === 0
}

interface RecordedFirstTurn {
  readonly turn: Turn
  readonly tape: TurnTape
  readonly response: ByteString
  readonly deps: ChatDependencies
}

function recordFirstTurn(
  {
    body,
    startFrom,
    program,
    isProgressTracked,
    resultId,
    publishedAt,
    visitor,
    recordingWish,
  }: StartRequest,
  { turn, tape, response, deps }: RecordedFirstTurn,
): RecordedSession | undefined {
  if (!recordingWish) return undefined
  const { message, isStreamEnabled, isOnlyRegistering, prefilledVariables, textBubbleContentFormat } = body
  const asked = { isStreamEnabled, isOnlyRegistering, prefilledVariables, textBubbleContentFormat, startFrom }
  const { limits, publicUrl, areResultsRead } = deps
  const start = {
    program: program.hash,
    flowId: program.id,
    isProgressTracked,
    resultId,
    publishedAt,
    visitor: visitor && { variables: visitor.variables, answers: [...visitor.answers] },
    limits,
    publicUrl,
    areResultsRead,
  }
  const request = { message: message ?? undefined, ...asked }
  const facts = { entry: 'start', request, response, turn, tape, isOnlyRegistering } as const
  return recordStart({ start, wish: recordingWish }, facts, deps.recordings)
}

function* walkNothing(): Effects<void> {}

/** A conversation that nothing has happened in. */
export function newConversation(
  request: Pick<StartRequest, 'program' | 'owner' | 'visitor' | 'resultId' | 'isProgressTracked'> & {
    readonly body: Pick<StartRequest['body'], 'isStreamEnabled'>
  },
): Conversation {
  const { program, body, visitor, resultId, isProgressTracked } = request
  const root = {
    program,
    variables: new Variables(program.variables),
    answers: new Map(visitor?.answers),
    resultId,
    resumeAt: undefined,
    mergesResults: false,
  }
  return {
    frames: [root],
    returnStack: [],
    isLive: resultId !== undefined,
    isMocked: request.owner.mocks !== undefined,
    isStreamEnabled: body.isStreamEnabled === true,
    isProgressTracked,
    acceptedReplies: 0,
    mails: 0,
    transcript: program.needsTranscript ? [] : undefined,
    waitingBlock: undefined,
  }
}

import type { StartChatBody } from '../../../schemas/start-chat.ts'
import { countTurn } from '../../analytics/count-turn.ts'
import type { ConversationChannel } from '../../engine/model/contact.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import { Variables } from '../../engine/values/variables.ts'
import { type StartFrom, start as walkFrom } from '../../engine/walk/start-walk.ts'
import { type ByteString, objectOf } from '../../lib/byte-string.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type { RecordedSession } from '../../sessions/recorded-session.ts'
import type { SessionContact } from '../../sessions/session-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { type RecordingWish, recordStart } from '../recording/record-turns.ts'
import { addTimers, addTrace, writeStartResponse } from '../response/chat-response.ts'
import { type Appearance, renderWhole } from '../response/render-appearance.ts'
import { memoryOf } from '../session/restore-conversation.ts'
import { announceTimers, timersAfter } from '../timers/timers-after.ts'
import { emptyTrace, traceWith } from '../trace/session-trace.ts'
import { beginTurn, endTurn, openJournal, type TurnRun, walkTurn } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { checkPrefilledSize, setInitialVariables } from './initial-variables.ts'
import type { ReturningVisitor } from './returning-visitor.ts'
import type { Start } from './start-snapshot-cache.ts'

/** Request of a start, for published flows and drafts alike. */
interface StartRequest {
  readonly program: Program
  readonly body: Pick<
    StartChatBody,
    'message' | 'isStreamEnabled' | 'isOnlyRegistering' | 'prefilledVariables' | 'textBubbleContentFormat'
  >
  readonly owner: TurnOwner
  readonly contact?: SessionContact | undefined
  readonly channel?: ConversationChannel | undefined
  /** Live sessions only. */
  readonly resultId?: string
  readonly startFrom?: StartFrom | undefined
  /** The language that was chosen; the program is in it. */
  readonly locale?: string | undefined
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
interface WalkedStart {
  readonly run: TurnRun
  readonly start: Start
  /** Whether the same request always gets the same: nothing depends on effects or on the visitor. */
  readonly isCacheable: boolean
}

/**
 * Sets a conversation up and walks its first turn; one that only registers is set up and left at that.
 * Throws BAD_REQUEST for a message that the conversation can do nothing with, and for too much that is prefilled.
 */
export async function walkFirstTurn(request: StartRequest, deps: ChatDependencies): Promise<WalkedStart> {
  const { program, body, owner, startFrom } = request
  const input = readUserInput(body.message)
  checkLength(input, deps.limits)
  checkPrefilledSize(body.prefilledVariables, program.variables)
  const { textBubbleContentFormat } = body
  const { isTraced, recordingWish: recording } = request
  const observed = { trace: isTraced ? emptyTrace : undefined, recording }
  const journal = openJournal(observed, { owner, entry: 'start' }, deps)
  const run = beginTurn(newConversation(request), { owner, textBubbleContentFormat, journal }, deps)
  const { turn, runner } = run
  const remembered = request.visitor?.variables ?? []
  setInitialVariables(turn, { prefilled: body.prefilledVariables, remembered })
  // Those of the flow that was started: a link may lead into another meanwhile.
  const tools = { runner, variables: turn.currentFrame.variables }
  const theme = program.theme.constant ?? (await renderWhole(program.theme, turn, tools))
  await walkTurn(run, body.isOnlyRegistering ? walkNothing() : walkFrom(turn, startFrom, input))
  const settings = program.settings.constant ?? (await renderWhole(program.settings, turn, tools))
  endTurn(run, 'start')
  return { run, start: startOf(request, { run, theme, settings }, deps), isCacheable: isCacheable(run) }
}

function isCacheable({ turn: { readsVisitorData, budget, output }, runner }: TurnRun): boolean {
  return (
    !runner.hasAsked && !readsVisitorData && budget.limitsReached.length === 0 && output.defects.length === 0
  )
}

/** All that a start leaves behind, with what is written down of its turn. */
function startOf(
  request: StartRequest,
  { run, ...appearance }: Appearance & { readonly run: TurnRun },
  deps: ChatDependencies,
): Start {
  const { resultId, publishedAt, owner } = request
  const { turn } = run
  const { sessionId } = owner
  const createdAt = deps.ports.now()
  const isOnlyRegistering = request.body.isOnlyRegistering === true
  const before = request.isTraced ? emptyTrace : undefined
  const trace = isOnlyRegistering || !before ? before : traceWith(run, 'start', before)
  const first = { turn, ...appearance }
  const rest = writeStartResponse(first, { publishedAt, isOnlyRegistering })
  const isMarkdown = request.body.textBubbleContentFormat === 'markdown'
  const terms = { now: owner.mocks?.now ?? createdAt, isMarkdown, sessionTtlMs: deps.sessionTtlMs }
  const { pause, sleep } = turn.conversation
  const isTimed = !isOnlyRegistering && (turn.isTimed || pause || sleep)
  const timers = isTimed ? timersAfter(turn.conversation, terms) : undefined
  const counting = { before: undefined, createdAt, now: createdAt }
  const count = isOnlyRegistering ? undefined : countTurn(turn, counting)
  const named = { sessionId, now: createdAt, requestId: owner.requestLog?.requestId, visit: count?.visit }
  return {
    sessionId,
    resultId,
    createdAt,
    conversation: turn.conversation,
    isOnlyRegistering,
    count,
    results: isOnlyRegistering || !turn.keepsResults ? [] : collectResultUpdates(turn, named, deps),
    rest: addTrace(
      timers || pause ? addTimers(rest, announceTimers({ timers, pause }, terms.now)) : rest,
      trace?.kept.at(-1),
    ),
    blocks: turn.budget.trail.length,
    logs: turn.output.logs,
    trace,
    mocks: owner.mocks?.kept,
    recording: recordFirstTurn(request, { run, rest }, deps),
    timers,
  }
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
    contact,
    channel,
    locale,
    recordingWish,
  }: StartRequest,
  { run, rest }: { readonly run: TurnRun; readonly rest: ByteString },
  deps: ChatDependencies,
): RecordedSession | undefined {
  if (!recordingWish) return undefined
  const { message, isStreamEnabled, isOnlyRegistering, prefilledVariables, textBubbleContentFormat } = body
  const asked = {
    isStreamEnabled,
    isOnlyRegistering,
    prefilledVariables,
    textBubbleContentFormat,
    startFrom,
    locale,
  }
  const { limits, publicUrl, areResultsRead } = deps
  const start = {
    program: program.hash,
    flowId: program.id,
    isProgressTracked,
    resultId,
    publishedAt,
    contact,
    channel: channel && { messenger: channel.messenger, referral: channel.referral },
    visitor: visitor && { variables: visitor.variables, answers: [...visitor.answers] },
    limits,
    publicUrl,
    areResultsRead,
  }
  const request = { message: message ?? undefined, ...asked }
  const facts = { entry: 'start', request, response: objectOf(rest), run, isOnlyRegistering } as const
  return recordStart({ start, wish: recordingWish }, facts, deps.recordings)
}

function* walkNothing(): Effects<void> {}

/** A conversation that nothing has happened in. */
export function newConversation(
  request: Pick<
    StartRequest,
    'program' | 'owner' | 'contact' | 'channel' | 'visitor' | 'resultId' | 'isProgressTracked' | 'locale'
  > & {
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
    contact: request.contact,
    memory: request.contact && memoryOf(request.contact),
    channel: request.channel,
    locale: request.locale,
    isStreamEnabled: body.isStreamEnabled === true,
    isProgressTracked,
    acceptedReplies: 0,
    mails: 0,
    transcript: program.needsTranscript ? [] : undefined,
    waitingBlock: undefined,
  }
}

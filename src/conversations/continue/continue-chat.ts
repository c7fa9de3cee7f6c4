import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { UserInput } from '../../engine/model/step.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { resume, sayAgain } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { type OperatorAct, takeOver } from '../../engine/walk/take-over.ts'
import { fire } from '../../engine/walk/timed-walk.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { ServiceError } from '../../lib/errors.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type {
  DueSession,
  FirstCommit,
  Lease,
  StoredConversation,
  TurnCommit,
} from '../../stores/conversation-store.ts'
import type { Said, Session, Timer } from '../../stores/session.ts'
import { contactWrite } from '../contact/met-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { saidAfter } from '../events/said-after.ts'
import { type WaitOptions, waitForWebhook } from '../events/webhook-wait.ts'
import { eventsOfTurn } from '../outgoing/outgoing-events.ts'
import { addTurn, isRecorded } from '../recording/record-turns.ts'
import type { Logged, Repeatable, Versioned } from '../request.ts'
import { addTimers, addTrace, writeContinueResponse } from '../response/chat-response.ts'
import { commitTurn, repeatAnswer, sessionVersion, withVersion } from '../session/enter-session.ts'
import { type OpenSession, openStored, type SessionRequest } from '../session/open-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { checkPrefilledSize, setInitialVariables } from '../start/initial-variables.ts'
import { announceTimers, timersAfter } from '../timers/timers-after.ts'
import { traceWith } from '../trace/session-trace.ts'
import { beginTurn, endTurn, openJournal, type TurnRun, walkTurn, withTurnLimits } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { checkVersion } from './check-version.ts'
import { takeWebhookReply } from './execute-webhook.ts'

export interface ContinueRequest extends SessionRequest, Repeatable, Versioned, Logged {
  /** The versions of the session that the request accepts; absent for any. */
  readonly ifVersion?: readonly string[] | undefined
  /** Absent for none. */
  readonly wait?: WaitOptions | undefined
  readonly body: ContinueChatBody
}

/**
 * Goes on with a session (docs/api.md 4.3), one request of a session at a time.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin,
 * PRECONDITION_FAILED for a version of the session that is not the present one, BAD_REQUEST for a message that the
 * conversation can do nothing with; the session is then left as it was. A repetition by
 * `Idempotency-Key` is answered as the request before it.
 */
export async function continueChat(request: ContinueRequest, deps: ChatDependencies): Promise<ByteString> {
  const entry = await enterOnce(request, deps)
  if (typeof entry === 'string') return entry
  // Of the session, which may be a megabyte, nothing but its revision is held meanwhile.
  await waitForWebhook(request, entry.earlyAt, deps)
  return continueChat({ ...request, wait: undefined }, deps)
}

/** The answer; for a continue that comes before a webhook, the revision that it is to wait at. */
async function enterOnce(
  request: ContinueRequest,
  deps: ChatDependencies,
): Promise<ByteString | { readonly earlyAt: number }> {
  const input = readUserInput(request.body.message)
  const { sessionId: id, idempotency } = request
  const entered = await deps.conversations.enter({ id, idempotency })
  if (entered.state !== 'entered') return repeatAnswer(entered, { ...request, id }, deps)
  const { lease, conversation } = entered
  try {
    const { locale } = request.body
    const open = await openStored(conversation, locale === undefined ? request : { ...request, locale }, deps)
    if (request.ifVersion) await checkVersion(open, request, deps)
    if (isEarly(input, open, request)) return { earlyAt: conversation.revision }
    const { answer, version, commit } = await takeTurn(input, { ...open, lease }, { request, deps })
    const revision = await commitTurn(lease, commit, deps)
    tellOfWindow({ id, revision }, commit.session, deps)
    request.onVersion?.(version)
    return answer
  } finally {
    await deps.conversations.release(lease)
  }
}

/** The window of replies is short: its turn is taken when it is over, and not when what is due is next looked for. */
function tellOfWindow(
  due: DueSession,
  { timers, mocks }: Session,
  { dueSoon, ports }: ChatDependencies,
): void {
  const window = timers?.find(({ type }) => type === 'reply')
  if (window?.due === undefined || mocks?.rules.clock !== undefined) return
  dueSoon.tell(due, Math.max(0, window.due - ports.now()))
}

/** Whether a continue says nothing to a webhook listener that has not been called, and is willing to wait for the call. */
function isEarly(
  input: UserInput | undefined,
  { conversation, stored }: OpenSession,
  { wait, body: { locale } }: ContinueRequest,
): boolean {
  if (input !== undefined || locale !== undefined || !wait || wait.waitMs === 0) return false
  if (conversation.pause) return false
  return conversation.waitingBlock?.type === 'webhook' && stored.payload === undefined
}

/** Outcome of a turn, none of which is kept yet. */
interface TakenTurn {
  readonly run: TurnRun
  readonly answer: ByteString
  /** Of the session, once the turn is kept. */
  readonly version: string
  readonly commit: TurnCommit
}

/** A session that is about to be gone on with. */
interface HeldSession extends OpenSession {
  readonly lease: Lease
}

type TurnRequest = Pick<ContinueRequest, 'body' | 'requestLog' | 'idempotency'> & {
  /** Takes the turn in the place of a visitor. */
  readonly timer?: Timer | undefined
  /** The same, of an operator. */
  readonly act?: OperatorAct | undefined
}

/**
 * Hands the input to the block that waits, or begins what a timer or an operator does, and walks on. Throws BAD_REQUEST for what the
 * conversation can do nothing with.
 */
export async function takeTurn(
  input: UserInput | undefined,
  open: HeldSession,
  { request, deps }: { readonly request: TurnRequest; readonly deps: ChatDependencies },
): Promise<TakenTurn> {
  const { stored, conversation } = open
  const { waitingBlock } = conversation
  const limited = withTurnLimits(stored.session, deps)
  if (conversation.sleep || conversation.pause || !isClientReply(input, waitingBlock))
    checkLength(input, limited.limits, conversation.gathered)
  const owner = ownerOf(input, open, request)
  const { timer, act } = request
  const wasOver = isBubble(waitingBlock)
  const entry = entryOf(request)
  const textBubbleContentFormat = formatOf(request, stored.session)
  const opened = { owner, entry } as const
  const terms = { owner, textBubbleContentFormat, journal: openJournal(stored.session, opened, limited) }
  const run = beginTurn(conversation, terms, limited)
  setChosenVariables(run.turn, stored.session, request.body.setVariables)
  const { locale } = request.body
  await walkTurn(run, walkOf(run.turn, { input, locale, timer, act }, stored))
  endTurn(run, entry)
  const written = writeUp(run, stored, { request, deps })
  const timed = timedBy(run, stored, { input, request, deps })
  const session = timed ? { ...written.session, ...timed } : written.session
  const { pause } = conversation
  const announced = timed || pause ? announceTimers({ ...timed, pause }, nowOf(owner, deps)) : undefined
  const answer = addTimers(written.answer, announced)
  const stays = conversation.waitingBlock === waitingBlock
  const isQuiet =
    timer !== undefined ||
    act !== undefined ||
    pause !== undefined ||
    (input === undefined && locale !== undefined)
  const payloads = stays && isQuiet ? 'keep' : payloadsAfter(input, stays)
  const version = sessionVersion({ session, revision: stored.revision + 1 })
  const kept = request.idempotency && withVersion(version, answer)
  const left = leftBy(run.turn, session, { requestId: request.requestLog?.requestId, deps })
  const told = {
    entry,
    isFirst: stored.session.state === 'registered',
    isExpiry: timer?.type === 'expire',
    wasOver,
    pausedBefore: stored.session.pause,
    reply: input,
    response: answer,
  } as const
  const outgoing = deps.subscribers.isEmpty ? undefined : await eventsOfTurn(left, told, deps)
  return { run, answer, version, commit: { ...left, answer: kept, payloads, outgoing } }
}

/** Gives variables of a preview the values that its author wants to try. Throws BAD_REQUEST for any other session. */
function setChosenVariables(turn: Turn, { kind }: Session, given: ContinueChatBody['setVariables']): void {
  if (!given) return
  if (kind !== 'preview') {
    const message = 'is for previews alone: leave it out, and prefill what is known before the start'
    throw new ServiceError('BAD_REQUEST', 'Input validation failed', {
      problems: [{ pointer: '/setVariables', message }],
    })
  }
  checkPrefilledSize(given, turn.currentFrame.variables.table, 'setVariables')
  setInitialVariables(turn, { prefilled: given, remembered: [] })
}

/** Whether an embed waits for its event, and nothing is asked of the visitor. */
const isBubble = (block: CompiledBlock | undefined) => block?.handler?.kind === 'bubble'

function entryOf({ timer, act }: TurnRequest): 'continue' | 'timer' | 'operator' {
  if (act) return 'operator'
  return timer ? 'timer' : 'continue'
}

/** A timer writes as the turn that set it, and an operator as far as that is known. */
function formatOf(
  { body, timer, act }: TurnRequest,
  { pause, timers = [] }: Session,
): ContinueChatBody['textBubbleContentFormat'] {
  const setBy = act ? (pause ?? timers[0]) : timer
  return setBy?.isMarkdown ? 'markdown' : body.textBubbleContentFormat
}

/** By the clock of the conversation. */
const nowOf = ({ mocks }: TurnOwner, { ports }: ChatDependencies) => mocks?.now ?? ports.now()

/**
 * Timers that the turn leaves, and what was said that no request was answered with. Undefined where there was neither and is
 * neither.
 */
function timedBy(
  { turn, owner }: TurnRun,
  { session, revision }: StoredConversation,
  { input, request, deps }: { input: UserInput | undefined; request: TurnRequest; deps: ChatDependencies },
): Pick<Session, 'timers' | 'said'> | undefined {
  const { timer: fired, act } = request
  const { conversation, output } = turn
  const isPaused = session.pause !== undefined
  const set = timersAfter(conversation, {
    now: nowOf(owner, deps),
    before: session.timers,
    fired,
    isMarkdown: formatOf(request, session) === 'markdown',
    sessionTtlMs: deps.sessionTtlMs,
  })
  // What a person says in between is nothing that the visitor did.
  const timers = act?.type === 'say' && !conversation.pause ? session.timers : set
  const isAsked = !fired && !act
  if (isAsked && !isPaused && !session.said)
    return timers || session.timers ? { timers, said: undefined } : undefined
  const added = isAsked ? heardFrom(isPaused ? input : undefined) : sentBy(output)
  if (!added) return { timers, said: session.said }
  return { timers, said: saidAfter(session.said, { added, revision: revision + 1, isPaused }) }
}

/** Nobody answers these, and who follows the session is told; undefined for nothing to tell. */
function sentBy({ messages, actions }: Turn['output']): Omit<Said, 'revision'> | undefined {
  const unanswered = actions.flatMap(({ value }) => (value.expectsDedicatedReply ? [] : [value]))
  if (messages.length === 0 && unanswered.length === 0) return undefined
  return {
    messages: messages.map(({ value }) => value),
    ...(unanswered.length > 0 && { actions: unanswered }),
  }
}

/** Done by the visitor, who has seen what was said before: said to a person, if anything. */
function heardFrom(input: UserInput | undefined): Omit<Said, 'revision'> {
  return { messages: [], ...(input && input.type !== 'command' && { reply: input }) }
}

function ownerOf(
  input: UserInput | undefined,
  { stored: { session, revision, payload }, lease }: HeldSession,
  { requestLog }: TurnRequest,
): TurnOwner {
  const { kind, isTrusted, publicId, id: sessionId } = session
  const mocks = session.mocks && new MockWorld(session.mocks)
  const said = input ?? payload?.text
  return { kind, isTrusted, sessionId, lease, revision, said, isUnderWay: true, publicId, requestLog, mocks }
}

interface WalkTerms extends Pick<TurnRequest, 'timer' | 'act'> {
  readonly input: UserInput | undefined
  readonly locale: string | undefined
}

/** The first turn of a registered session is that of a start. */
function walkOf(
  turn: Turn,
  { input, locale, timer, act }: WalkTerms,
  stored: StoredConversation,
): Effects<unknown> {
  if (timer) return fire(turn, timer)
  if (act) return takeOver(turn, act)
  if (stored.session.state === 'registered') return start(turn, undefined, input)
  if (input === undefined && locale !== undefined) return sayAgain(turn)
  return resume(turn, input ?? (stored.session.pause ? undefined : takeWebhookReply(stored)))
}

/** The answer of a turn that is over, and the session with what is written down of the turn. */
function writeUp(
  run: TurnRun,
  stored: StoredConversation,
  { request, deps }: { readonly request: TurnRequest; readonly deps: ChatDependencies },
): { readonly answer: ByteString; readonly session: Session } {
  const { session } = stored
  const { turn, owner, journal } = run
  const isFirst = session.state === 'registered'
  const isLocaleAsked = request.body.locale !== undefined
  const response = writeContinueResponse(turn, { isFirst, isLocaleAsked })
  if (!journal && !owner.mocks) return { answer: response, session }
  const trace = traceWith(run, entryOf(request), session.trace)
  const answer = addTrace(response, trace?.kept.at(-1))
  const recording = recordContinue(run, stored, { request, response, deps })
  const mocks = owner.mocks?.kept
  return { answer, session: { ...session, trace, recording, mocks } }
}

function recordContinue(
  run: TurnRun,
  { session, payload }: StoredConversation,
  { request, response, deps }: { request: TurnRequest; response: ByteString; deps: ChatDependencies },
): Session['recording'] {
  const { recording } = session
  if (!recording || !isRecorded(recording)) return recording
  const { message, textBubbleContentFormat, locale, setVariables } = request.body
  const { timer, act } = request
  const asked = { message: message ?? undefined, textBubbleContentFormat, locale, setVariables, timer, act }
  const facts = {
    entry: entryOf(request),
    request: asked,
    payload: payload?.text,
    response,
    run,
    session,
  } as const
  return addTurn(recording, facts, deps.recordings)
}

/**
 * Fate of payloads that came in from elsewhere: a command that comes back leaves it for the next continue, and one that
 * came in during the turn is for a flow that listens again at the same block.
 */
function payloadsAfter(input: UserInput | undefined, stays: boolean): TurnCommit['payloads'] {
  if (!stays) return 'drop'
  return input?.type === 'command' ? 'keep' : 'take'
}

/** Whether this is a client's answer to an action, which may be as long as a response of another system. */
function isClientReply(input: UserInput | undefined, waitingBlock: CompiledBlock | undefined): boolean {
  return input?.type === 'text' && waitingBlock !== undefined && waitingBlock.handler?.kind !== 'input'
}

/** Commit of a turn: the session that it leaves, and the changes of results. */
export function leftBy(
  turn: Turn,
  session: Session,
  { requestId, deps }: { readonly requestId: string | undefined; readonly deps: ChatDependencies },
): FirstCommit {
  const facts = { sessionId: session.id, requestId, now: deps.ports.now() }
  const results = collectResultUpdates(turn, facts, deps)
  return {
    session: serializeConversation(turn.conversation, session),
    results,
    contact: contactWrite(turn.conversation, { contact: session.contact, results }),
  }
}

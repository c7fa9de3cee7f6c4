import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { ByteString } from '../../byte-string.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { createTurn } from '../../engine/turn/create-turn.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { resume } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type { MaybePromise, TurnCommit } from '../../stores/conversation-store.ts'
import type { Session } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import { isEarly, type Patience, waitForWebhook } from '../events/webhook-wait.ts'
import { addTurn, tapeFor } from '../recording/record-turns.ts'
import type { TurnTape } from '../recording/turn-tape.ts'
import type { Repeatable, Traced, Versioned } from '../request.ts'
import { writeContinueResponse } from '../response/chat-response.ts'
import { answerInSession, commitTurn, type EnteredSession } from '../session/enter-session.ts'
import type { OpenSession, SessionRequest } from '../session/open-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { sessionVersion, withVersion } from '../session/session-version.ts'
import { beginTurnSpan } from '../telemetry/turn-spans.ts'
import { startRecording } from '../trace/session-trace.ts'
import { withTurnLimits } from '../turn/preview-limits.ts'
import { recordTurn } from '../turn/record-turn.ts'
import { createEffectRunner, runTurn, turnOptions } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { checkVersion } from './check-version.ts'
import { takeWebhookReply } from './execute-webhook.ts'

export interface ContinueRequest extends SessionRequest, Repeatable, Versioned, Traced {
  /** The versions of the session that the request accepts; absent for any. */
  readonly ifVersion?: readonly string[] | undefined
  /** Absent for none. */
  readonly patience?: Patience | undefined
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
  const input = readUserInput(request.body.message)
  let early: number | undefined
  const work = async (entered: EnteredSession) => {
    if (request.ifVersion) await checkVersion(entered, request, deps)
    if (!isEarly(input, entered, request)) return await takeTurn(input, entered, { request, deps })
    early = entered.stored.revision
    return undefined
  }
  const answer = await answerInSession(request, deps, work)
  if (answer !== undefined || early === undefined) return answer as ByteString
  await waitForWebhook(request, early, deps)
  return continueChat({ ...request, patience: undefined }, deps)
}

/** Hands the input to the block that waits, walks on, and keeps what comes of it. */
export async function takeTurn(
  input: UserInput | undefined,
  entered: EnteredSession,
  { request, deps }: { readonly request: ContinueRequest; readonly deps: ChatDependencies },
): Promise<ByteString> {
  const { session, revision } = entered.stored
  const limited = withTurnLimits(session, deps)
  if (!isClientReply(input, entered)) checkLength(input, limited.limits)
  const tracing = session.trace && startRecording(limited.ports)
  const turn = createTurn(entered.conversation, turnOptions(request.body, limited, tracing?.recorder))
  const isFirst = session.state === 'registered'
  const { kind, isTrusted, publicId, id: sessionId } = session
  const { waitingBlock } = entered.conversation
  const { lease } = entered
  const tape = tapeFor(session, deps)
  const owner = {
    kind,
    isTrusted,
    sessionId,
    lease,
    revision,
    said: input ?? entered.stored.payload?.text,
    isUnderWay: true,
    publicId,
    trace: request.trace,
    mocks: session.mocks && new MockWorld(session.mocks),
    tape,
    span: deps.spans && beginTurnSpan({ kind, sessionId, publicId, trace: request.trace }, 'continue', deps),
  }
  const driver = createEffectRunner(turn, owner, limited)
  const walk = isFirst
    ? start(turn, undefined, input)
    : resume(turn, input ?? takeWebhookReply(entered.stored))
  const running = runTurn(turn, walk, { driver, owner, chat: limited })
  if (running instanceof Promise) await running
  recordTurn(turn, { entry: 'continue', driver, owner }, deps)
  const trace = session.trace && tracing?.addTo(session.trace, { turn, driver, entry: 'continue' })
  const answer = writeContinueResponse(turn, { isFirst, trace: trace?.kept.at(-1) })
  const stays = turn.conversation.waitingBlock === waitingBlock
  const version = sessionVersion({ session, revision: revision + 1 })
  const kept = request.idempotency && withVersion(version, answer)
  const payloads = payloadsAfter(input, stays)
  const { requestId } = request.trace ?? {}
  const recording = tape && recordContinue(entered, { turn, tape, request, isFirst, answer }, deps)
  const written = (trace || tape) && { trace, recording: tape ? recording : session.recording }
  const mocks = owner.mocks?.kept
  const saving = saveTurn(turn, entered, { answer: kept, payloads, requestId, written, mocks }, deps)
  if (saving instanceof Promise) await saving
  request.onVersion?.(version)
  return answer
}

interface RecordedContinue {
  readonly turn: Turn
  readonly tape: TurnTape
  readonly request: Pick<ContinueRequest, 'body'>
  readonly isFirst: boolean
  readonly answer: ByteString
}

function recordContinue(
  { stored: { session, payload } }: EnteredSession,
  { turn, tape, request: { body }, isFirst, answer }: RecordedContinue,
  deps: ChatDependencies,
): Session['recording'] {
  if (!session.recording) return undefined
  const { message, textBubbleContentFormat } = body
  // A trace holds times, which are never the same twice.
  const response = session.trace ? writeContinueResponse(turn, { isFirst }) : answer
  const request = { message: message ?? undefined, textBubbleContentFormat }
  const facts = { entry: 'continue', request, payload: payload?.text, response, turn, tape, session } as const
  return addTurn(session.recording, facts, deps.recordings)
}

/**
 * What becomes of what came in from elsewhere: a command that comes back leaves it for the next continue, and one that
 * came in during the turn is for a flow that listens again at the same block.
 */
function payloadsAfter(input: UserInput | undefined, stays: boolean): TurnCommit['payloads'] {
  if (!stays) return 'drop'
  return input?.type === 'command' ? 'keep' : 'take'
}

/** Whether this is a client's answer to an action, which may be as long as a response of another system. */
function isClientReply(
  input: UserInput | undefined,
  { conversation: { waitingBlock } }: OpenSession,
): boolean {
  return input?.type === 'text' && waitingBlock !== undefined && waitingBlock.handler?.kind !== 'input'
}

/** What else is kept with a turn. */
interface SavedTurn extends Pick<TurnCommit, 'answer' | 'payloads'> {
  readonly requestId?: string | undefined
  /** What was written down of the session, this turn included; absent where this turn was not. */
  readonly written?: Pick<Session, 'trace' | 'recording'> | undefined
  /** As this turn leaves them. */
  readonly mocks?: Session['mocks']
}

/** Keeps what a turn changed, with its results and its answer; the new revision of the session. */
export function saveTurn(
  turn: Turn,
  { stored: { session }, lease }: EnteredSession,
  { answer, payloads, requestId, written, mocks }: SavedTurn,
  deps: ChatDependencies,
): MaybePromise<number> {
  const kept = written || mocks ? { ...session, ...written, ...(mocks && { mocks }) } : session
  const facts = { sessionId: session.id, requestId, now: deps.ports.now() }
  const results = collectResultUpdates(turn, facts, deps)
  return commitTurn(
    lease,
    { session: serializeConversation(turn.conversation, kept), results, answer, payloads },
    deps,
  )
}

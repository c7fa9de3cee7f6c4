import { countTurn } from '../../analytics/count-turn.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { UserInput } from '../../engine/model/step.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { maskOf } from '../../engine/turn/turn-mask.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type { Said, Session } from '../../sessions/session.ts'
import type { FirstCommit, StoredConversation, TurnCommit } from '../../stores/conversation-store.ts'
import type { Result } from '../../stores/result-store.ts'
import { contactWrite } from '../contact/met-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { saidAfter } from '../events/said-after.ts'
import { eventsOfTurn, transcriptToHandOver } from '../outgoing/outgoing-events.ts'
import { addTurn, isRecorded } from '../recording/record-turns.ts'
import { addTimers, addTrace, writeContinueResponse, writeShown } from '../response/chat-response.ts'
import { withVersion } from '../session/enter-session.ts'
import { serializeConversation, sessionVersion } from '../session/serialize-conversation.ts'
import { type AnnouncedTimers, announceTimers, timersAfter } from '../timers/timers-after.ts'
import { traceWith } from '../trace/session-trace.ts'
import type { TurnRun } from '../turn/run-turn.ts'
import { sayOnChannel } from './say-on-channel.ts'
import type { TurnRequest } from './turn-request.ts'

/** Outcome of a turn, none of which is kept yet. */
export interface TakenTurn {
  readonly run: TurnRun
  readonly answer: ByteString
  /** Of the session, once the turn is kept. */
  readonly version: string
  readonly commit: TurnCommit
}

/** A turn that is over, as it was asked for. */
interface TurnTerms {
  readonly input: UserInput | undefined
  readonly request: TurnRequest
  readonly entry: 'continue' | 'timer' | 'operator'
  /** The block that waited before the turn. */
  readonly waitedAt: CompiledBlock | undefined
  readonly deps: ChatDependencies
}

/** The answer of a turn that is over, and what is to be kept of the turn; no promise where nobody else is told of it. */
export function turnCommit(
  run: TurnRun,
  stored: StoredConversation,
  terms: TurnTerms,
): TakenTurn | Promise<TakenTurn> {
  const taken = takenTurn(run, stored, terms)
  const { channel } = stored.session
  const isTold = !terms.deps.subscribers.isEmpty
  if (channel || (isTold && taken.commit.session.pause)) return tellOf(taken, stored, terms)
  if (isTold) taken.commit.outgoing = eventsOf(taken, stored, terms)
  return taken
}

/** A turn to whose commit what others are told may be added. */
interface Untold extends TakenTurn {
  readonly commit: TurnCommit & { outgoing: TurnCommit['outgoing'] }
}

function takenTurn(
  run: TurnRun,
  stored: StoredConversation,
  { input, request, entry, waitedAt, deps }: TurnTerms,
): Untold {
  const { turn, owner } = run
  const { pause, sleep, waitingBlock } = turn.conversation
  const { timers, said, pause: pausedBefore } = stored.session
  const isTimed = turn.isTimed || timers || said || pausedBefore || pause || sleep || entry !== 'continue'
  const timed = isTimed ? timedBy(run, stored, { input, request, deps }) : undefined
  const announced = timed || pause ? announceTimers({ ...timed, pause }, nowOf(owner, deps)) : undefined
  const { session, answer } = writeUp(run, stored, { request, entry, announced, deps })
  const version = sessionVersion({ session, revision: stored.revision + 1 })
  const kept = request.idempotency && withVersion(version, answer)
  const requestId = request.requestLog?.requestId
  const left = leftBy(turn, session, { timed, requestId, isExpiry: isExpiry(request), deps })
  const isQuiet = pause !== undefined || isQuietRequest(input, request)
  const payloads = payloadsAfter(input, { stays: waitingBlock === waitedAt, isQuiet })
  const { session: after, results, contact, counted } = left
  // To spread what is left, and then the commit, takes longer than all of it.
  const commit = { session: after, results, contact, counted, answer: kept, payloads, outgoing: undefined }
  return { run, answer, version, commit }
}

/** Adds what endpoints are told of a turn, with what was said before, and what it says on the session's messenger. */
async function tellOf(taken: TakenTurn, stored: StoredConversation, terms: TurnTerms): Promise<TakenTurn> {
  const { run, answer } = taken
  const { request, deps } = terms
  const { pause } = stored.session
  const isTold = !deps.subscribers.isEmpty
  const transcript = isTold
    ? await transcriptToHandOver(taken.commit.session, pause, deps.results)
    : undefined
  const outgoing = isTold ? eventsOf(taken, stored, terms, transcript) : undefined
  const commit = { ...taken.commit, outgoing }
  if (!stored.session.channel) return { ...taken, commit }
  return { ...taken, commit: await sayOnChannel({ run, answer, commit }, stored, { request, deps }) }
}

/** Events for those who are told of turns. */
function eventsOf(
  { run, commit }: TakenTurn,
  { session }: StoredConversation,
  { input, request, entry, waitedAt, deps }: TurnTerms,
  transcript?: Result['transcript'],
) {
  const facts = {
    entry,
    isFirst: session.state === 'registered',
    isExpiry: isExpiry(request),
    wasOver: isBubble(waitedAt),
    pausedBefore: session.pause,
    reply: input,
    shown: () => writeShown(run.turn.output),
    mask: () => maskOf(run.turn),
    transcript,
  }
  return eventsOfTurn(commit, facts, deps)
}

const isExpiry = ({ timer }: TurnRequest) => timer?.type === 'expire'

/** Whether nothing was said, and nothing else looked for. */
const isQuietRequest = (input: UserInput | undefined, { timer, act, body }: TurnRequest) =>
  timer !== undefined || act !== undefined || (input === undefined && body.locale !== undefined)

interface LeftTerms {
  /** In place of those that the session had. */
  readonly timed?: Pick<Session, 'timers' | 'said'> | undefined
  readonly requestId: string | undefined
  readonly isExpiry?: boolean
  readonly deps: ChatDependencies
}

/** Commit of a turn: the session that it leaves, the changes of results, and what is to be counted. */
export function leftBy(
  turn: Turn,
  session: Session,
  { timed, requestId, isExpiry, deps }: LeftTerms,
): FirstCommit {
  const now = deps.ports.now()
  const count = countTurn(turn, { before: session, createdAt: session.createdAt, now, isExpiry })
  const named = { sessionId: session.id, requestId, now, visit: count?.visit }
  const results = turn.keepsResults ? collectResultUpdates(turn, named, deps) : []
  const facts = count ? { ...session, counted: count.state } : session
  return {
    session: serializeConversation(turn.conversation, facts, timed),
    results,
    contact: session.contact && contactWrite(turn.conversation, { contact: session.contact, results }),
    counted: count?.counted,
  }
}

interface WritingTerms extends Pick<TurnTerms, 'request' | 'entry' | 'deps'> {
  readonly announced: AnnouncedTimers | undefined
}

/** The answer of a turn that is over, and the session with what is written down of the turn. */
function writeUp(
  run: TurnRun,
  stored: StoredConversation,
  { request, entry, announced, deps }: WritingTerms,
): { readonly answer: ByteString; readonly session: Session } {
  const { session } = stored
  const { turn, owner, journal } = run
  const isFirst = session.state === 'registered'
  const isLocaleAsked = request.body.locale !== undefined
  const isPlain = !journal && !owner.mocks
  const timers = isPlain ? announced : undefined
  const response = writeContinueResponse(turn, { isFirst, isLocaleAsked, timers })
  if (isPlain) return { answer: response, session }
  const trace = traceWith(run, entry, session.trace)
  const answer = addTimers(addTrace(response, trace?.kept.at(-1)), announced)
  const recording = recordContinue(run, stored, { request, entry, response, deps })
  const mocks = owner.mocks?.kept
  return { answer, session: { ...session, trace, recording, mocks } }
}

function recordContinue(
  run: TurnRun,
  { session, payload }: StoredConversation,
  {
    request,
    entry,
    response,
    deps,
  }: Pick<TurnTerms, 'request' | 'entry' | 'deps'> & { readonly response: ByteString },
): Session['recording'] {
  const { recording } = session
  if (!recording || !isRecorded(recording)) return recording
  const { message, textBubbleContentFormat, locale, setVariables } = request.body
  const { timer, act, isOutcome } = request
  const said = { message: message ?? undefined, isOutcome }
  const asked = { ...said, textBubbleContentFormat, locale, setVariables, timer, act }
  const facts = { entry, request: asked, payload: payload?.text, response, run, session } as const
  return addTurn(recording, facts, deps.recordings)
}

/**
 * Timers that the turn leaves, and what was said that no request was answered with. Undefined where there was neither and is
 * neither.
 */
function timedBy(
  { turn, owner }: TurnRun,
  { session, revision }: StoredConversation,
  { input, request, deps }: Pick<TurnTerms, 'input' | 'request' | 'deps'>,
): Pick<Session, 'timers' | 'said'> | undefined {
  const { timer: fired, act } = request
  const { conversation, output } = turn
  const isPaused = session.pause !== undefined
  const set = timersAfter(conversation, {
    now: nowOf(owner, deps),
    before: session.timers,
    fired,
    isMarkdown: turn.textBubbleContentFormat === 'markdown',
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

/** By the clock of the conversation. */
const nowOf = ({ mocks }: TurnOwner, { ports }: ChatDependencies) => mocks?.now ?? ports.now()

/** Whether an embed waits for its event, and nothing is asked of the visitor. */
const isBubble = (block: CompiledBlock | undefined) => block?.handler?.kind === 'bubble'

/**
 * Fate of payloads that came in from elsewhere: a command that comes back leaves it for the next continue, and one that
 * came in during the turn is for a flow that listens again at the same block.
 */
function payloadsAfter(
  input: UserInput | undefined,
  { stays, isQuiet }: { readonly stays: boolean; readonly isQuiet: boolean },
): TurnCommit['payloads'] {
  if (!stays) return 'drop'
  return isQuiet || input?.type === 'command' ? 'keep' : 'take'
}

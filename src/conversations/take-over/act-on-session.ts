import type { PersonMessageBody, SessionChangeBody } from '../../../schemas/take-over.ts'
import type { Pause } from '../../engine/model/step.ts'
import { checkGroup, type OperatorAct } from '../../engine/walk/take-over.ts'
import { type ByteString, jsonOf } from '../../lib/byte-string.ts'
import { invalidInput, ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { Session } from '../../sessions/session.ts'
import { checkVersion } from '../continue/check-version.ts'
import { takeTurn } from '../continue/take-turn.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Logged, Repeatable, Versioned } from '../request.ts'
import { pausedForOperator } from '../response/chat-response.ts'
import { commitTurn, repeatAnswer, withVersion } from '../session/enter-session.ts'
import { type OpenSession, openStored, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'

interface ActRequest extends Omit<SessionRequest, 'origin' | 'locale'>, Repeatable, Versioned, Logged {
  /** The versions of the session that the request accepts; absent for any. */
  readonly ifVersion?: readonly string[] | undefined
}

interface ChangeRequest extends ActRequest {
  readonly body: SessionChangeBody
}

interface SayRequest extends ActRequest {
  readonly body: PersonMessageBody
}

/** The longest pause that ends by itself. */
const longestMs = 366 * 24 * 60 * 60 * 1000

/**
 * Has a person lead a conversation, gives it back to its flow or ends it (docs/api.md 4.26). A change to what is so already
 * changes nothing.
 *
 * Throws as a continue does, UNAUTHORIZED for a live session without the token of an operator, CONFLICT for one in which nothing
 * has run, unless it is to be closed, and BAD_REQUEST for a group that its flows lack and for a time that is over.
 */
export async function changeSession(request: ChangeRequest, deps: ChatDependencies): Promise<ByteString> {
  const act = actOf(request.body, deps)
  return actOnSession(request, { act, answerOf: ({ commit }) => describeChange(commit.session) }, deps)
}

/** Has a person say something in a conversation (docs/api.md 4.27). Throws as `changeSession` does. */
export async function sayAsPerson(request: SayRequest, deps: ChatDependencies): Promise<ByteString> {
  const { text, name } = request.body
  const act = { type: 'say' as const, text: text.toWellFormed(), name: name?.toWellFormed() }
  const answerOf = ({ run }: Taken) => jsonOf({ message: run.turn.output.messages[0]?.value })
  return actOnSession(request, { act, answerOf }, deps)
}

type Taken = Awaited<ReturnType<typeof takeTurn>>

interface AnsweredAct {
  readonly act: OperatorAct
  readonly answerOf: (taken: Taken) => ByteString
}

async function actOnSession(
  request: ActRequest,
  { act, answerOf }: AnsweredAct,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { sessionId: id, idempotency, requestLog } = request
  const entered = await deps.conversations.enter({ id, idempotency })
  if (entered.state !== 'entered') return repeatAnswer(entered, { ...request, id }, deps)
  const { lease, conversation: stored } = entered
  try {
    const open = await openStored(stored, { ...request, origin: undefined }, deps)
    checkOperator(open, { caller: request.caller, act })
    if (request.ifVersion) await checkVersion(open, request, deps)
    if (isSo(act, stored.session.pause)) {
      checkGroup(act, open.conversation)
      request.onVersion?.(sessionVersion(stored))
      return describeChange(stored.session)
    }
    const terms = { request: { body: {}, act, requestLog }, deps }
    const taken = await takeTurn(undefined, { ...open, lease }, terms)
    const { commit, version } = taken
    const answer = answerOf(taken)
    await commitTurn(lease, { ...commit, answer: idempotency && withVersion(version, answer) }, deps)
    if (open.conversation.isLive) await noteAct(act, { ...stored.session, caller: request.caller }, deps)
    request.onVersion?.(version)
    return answer
  } finally {
    await deps.conversations.release(lease)
  }
}

/** Previews are their authors' own, who try what an operator would do. */
function checkOperator(
  { conversation, stored }: OpenSession,
  { caller, act }: { readonly caller: Caller; readonly act: OperatorAct },
): void {
  if (conversation.isLive && !mayLead(caller, stored.session))
    throw new ServiceError(
      'UNAUTHORIZED',
      'A conversation with a published flow is led by its operator: send ADMIN_TOKEN as `Authorization: Bearer <token>`',
    )
  if (stored.session.state === 'registered' && act.type !== 'close')
    throw new ServiceError('CONFLICT', 'Nothing has run in the session yet: continue it first')
}

function mayLead(caller: Caller, { publicId }: Pick<Session, 'publicId'>): boolean {
  if (caller.kind !== 'admin') return caller.kind === 'channel'
  const { flow = publicId } = caller.rights ?? {}
  return flow === publicId
}

function isSo(act: OperatorAct, pause: Pause | undefined): boolean {
  if (act.type === 'open') return pause === undefined
  if (act.type !== 'pause' || !pause || pause.isAwaited) return false
  const { until, reason = pause.reason, who = pause.who } = act
  return until === pause.until && reason === pause.reason && who === pause.who
}

function actOf(body: SessionChangeBody, { ports }: ChatDependencies): OperatorAct {
  const { status, reason, who, until, groupId } = body
  const misplaced = Object.entries({ paused: { who, until }, open: { groupId } }).flatMap(([of, fields]) =>
    Object.entries(fields).flatMap(([name, value]) =>
      of === status || value === undefined ? [] : [{ of, name }],
    ),
  )
  const [first] = misplaced
  if (first) throw refusal(first.name, `goes with the status "${first.of}" alone`)
  if (status === 'closed') return { type: 'close' }
  if (status === 'open') return { type: 'open', groupId }
  const end = until === undefined ? undefined : Date.parse(until)
  const now = ports.now()
  if (end !== undefined && !(end > now && end <= now + longestMs))
    throw refusal('until', 'must be a time to come, at most a year ahead, such as 2026-12-24T18:00:00Z')
  return { type: 'pause', reason: reason?.toWellFormed(), who: who?.toWellFormed(), until: end }
}

function refusal(name: string, message: string): ServiceError {
  return invalidInput([{ pointer: `/${name}`, message }])
}

function describeChange({ state, pause }: Pick<Session, 'state' | 'pause'>): ByteString {
  if (state === 'ended') return jsonOf({ status: 'closed' })
  return jsonOf(pause ? { status: 'paused', paused: pausedForOperator(pause) } : { status: 'open' })
}

/** Writes a row of the audit, of an operator. The act itself can't be undone for its sake: a failure stands in the log. */
async function noteAct(
  act: OperatorAct,
  { publicId: subject = '', caller }: Pick<Session, 'publicId'> & { readonly caller: Caller },
  { flowTable, log }: ChatDependencies,
): Promise<void> {
  if (caller.kind !== 'admin') return
  const row = { actor: caller.name, action: act.type, subject, detail: describeAct(act) }
  try {
    await flowTable.note(row)
  } catch (err) {
    log.error({ ...row, err }, 'what an operator did could not be written to the audit')
  }
}

/** Names neither the visitor nor what was said. */
function describeAct(act: OperatorAct): string {
  if (act.type === 'say') return act.name === undefined ? 'a message' : `a message by ${act.name}`
  if (act.type === 'open') return act.groupId === undefined ? 'where it stood' : `at ${act.groupId}`
  if (act.type === 'close') return 'one conversation'
  const { who, until } = act
  const terms = [who && `for ${who}`, until && `until ${new Date(until).toISOString()}`].filter(Boolean)
  return terms.join(', ') || 'one conversation'
}

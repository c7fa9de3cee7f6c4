import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { UserInput } from '../../engine/model/step.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import type { Session, SessionChannel } from '../../sessions/session.ts'
import type { DueSession } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type WaitOptions, waitForWebhook } from '../events/webhook-wait.ts'
import type { Logged, Repeatable, Versioned } from '../request.ts'
import { repeatAnswer, turnLost } from '../session/enter-session.ts'
import { type OpenSession, openStored, type SessionRequest } from '../session/open-session.ts'
import { readUserInput } from '../turn/user-input.ts'
import { checkVersion } from './check-version.ts'
import { takeTurn } from './take-turn.ts'

export interface ContinueRequest extends SessionRequest, Repeatable, Versioned, Logged {
  /** The versions of the session that the request accepts; absent for any. */
  readonly ifVersion?: readonly string[] | undefined
  /** Absent for none. */
  readonly wait?: WaitOptions | undefined
  readonly body: ContinueChatBody
  /** Of a message that came by a messenger. */
  readonly channel?: Pick<SessionChannel, 'to' | 'heard' | 'pressed' | 'files'> | undefined
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
  const { sessionId: id, idempotency } = request
  const entered = await deps.conversations.enter({ id, idempotency })
  if (entered.state !== 'entered') return repeatAnswer(entered, { ...request, id }, deps)
  const { lease, conversation } = entered
  try {
    const { locale } = request.body
    const open = await openStored(conversation, locale === undefined ? request : { ...request, locale }, deps)
    if (request.ifVersion) await checkVersion(open, request, deps)
    if (isEarly(input, open, request)) {
      await deps.conversations.release(lease)
      return continueLater(request, conversation.revision, deps)
    }
    const asked = isOutcome(input, open, request) ? { ...request, isOutcome: true as const } : request
    const { answer, version, commit } = await takeTurn(input, { ...open, lease }, { request: asked, deps })
    const revision = await deps.conversations.commit(lease, commit)
    if (revision === undefined) throw turnLost()
    if (commit.session.timers) tellOfWindow({ id, revision }, commit.session, deps)
    request.onVersion?.(version)
    return answer
  } catch (error) {
    await deps.conversations.release(lease)
    throw error
  }
}

/** Of the session, which may be a megabyte, nothing but its revision is held until the webhook is called. */
async function continueLater(
  request: ContinueRequest,
  revision: number,
  deps: ChatDependencies,
): Promise<ByteString> {
  await waitForWebhook(request, revision, deps)
  return continueChat({ ...request, wait: undefined }, deps)
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

/** A client that lets its visitor talk to a person has looked at the session, and names the version that it has seen. */
function isOutcome(
  input: UserInput | undefined,
  { conversation: { pause } }: OpenSession,
  { ifVersion }: ContinueRequest,
): boolean {
  if (ifVersion || !pause?.awaitsClient) return false
  return input === undefined || input.type === 'text'
}

import { ServiceError } from '../../errors.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { openSession, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/session-version.ts'
import { openTrace, turnsAfter } from '../trace/read-trace.ts'
import { createWakeSignal } from './wake-signal.ts'

export interface FollowRequest extends SessionRequest {
  /** The version that the client knows; absent for the present one. */
  readonly since?: string | undefined
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal
}

/** A turn of a traced preview. */
export interface TraceEvent {
  readonly type: 'turn'
  /** The number of the turn. */
  readonly version: string
  /** JSON. */
  readonly data: string
}

/** Webhook: a payload came in for the listener where the session waits. Updated: a turn was taken. */
export interface SessionEvent {
  readonly type: 'webhook' | 'updated'
  /** Of the session, after what happened. */
  readonly version: string
}

/**
 * Follows what happens to a session (docs/api.md 4.15), to its end, or until the signal is aborted. The session is not
 * held meanwhile.
 *
 * Throws as a look does, and TOO_MANY_REQUESTS for one stream too many.
 */
export async function followSession(
  request: FollowRequest,
  deps: ChatDependencies,
): Promise<AsyncIterable<SessionEvent>> {
  const { stored } = await openSession(request, deps)
  admit(request, deps)
  return eventsOf(request, stored, deps)
}

/**
 * Follows what the turns of a traced preview do (docs/debug.md), those that are kept first; `since` is the number of a
 * turn. Ends with the session. Throws as `followSession` does, and NOT_FOUND for a session without a trace.
 */
export async function followTrace(
  request: FollowRequest,
  deps: ChatDependencies,
): Promise<AsyncIterable<TraceEvent>> {
  await openTrace(request, deps)
  admit(request, deps)
  return turnsOf(request, deps)
}

/** A client that has hung up by now gets no event, and its end is never signalled. */
function admit(
  { sessionId, signal }: FollowRequest,
  { eventStreams }: Pick<ChatDependencies, 'eventStreams'>,
): void {
  if (signal.aborted || eventStreams.admit(sessionId, signal)) return
  throw new ServiceError('TOO_MANY_REQUESTS', 'Too many streams of events are open', { retryAfter: 5 })
}

async function* turnsOf(request: FollowRequest, deps: LookDependencies): AsyncGenerator<TraceEvent> {
  let last = Number(request.since ?? 0)
  for await (const stored of lookAfterEachChange(request, deps)) {
    const session = stored?.session
    for (const turn of turnsAfter(session?.trace, last)) {
      last = turn.turn
      yield { type: 'turn', version: String(turn.turn), data: JSON.stringify(turn) }
    }
    if (!session?.trace || session.state === 'ended') return
  }
}

async function* eventsOf(
  request: FollowRequest,
  first: StoredConversation,
  deps: LookDependencies,
): AsyncGenerator<SessionEvent> {
  let version = request.since ?? sessionVersion(first)
  let payload: string | undefined
  for await (const stored of lookAfterEachChange(request, deps)) {
    const present = stored ? sessionVersion(stored) : version
    if (stored?.payload && payload !== payloadName(stored)) {
      payload = payloadName(stored)
      yield { type: 'webhook', version: present }
    }
    const isOver = !stored || stored.session.state === 'ended'
    if (present !== version || isOver) yield { type: 'updated', version: present }
    if (isOver) return
    version = present
  }
}

type LookDependencies = Pick<ChatDependencies, 'conversations'>

/** The conversation as it is, and again whenever something has become of it, until the signal is aborted. */
async function* lookAfterEachChange(
  { sessionId, signal }: FollowRequest,
  { conversations }: LookDependencies,
): AsyncGenerator<StoredConversation | undefined> {
  const wakeSignal = createWakeSignal()
  const unsubscribe = await conversations.subscribe(sessionId, wakeSignal.wake)
  signal.addEventListener('abort', wakeSignal.wake, { once: true })
  try {
    while (!signal.aborted) {
      yield await conversations.look(sessionId)
      await wakeSignal.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', wakeSignal.wake)
  }
}

/** Identifies a payload: earlier ones have its number only at other revisions. */
function payloadName({ revision, payload }: StoredConversation): string {
  return `${revision} ${payload?.number}`
}

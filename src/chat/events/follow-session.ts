import { ServiceError } from '../../errors.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { Chat, FollowRequest, SessionEvent, TraceEvent } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { openSession } from '../session/open-session.ts'
import { sessionVersion } from '../session/session-version.ts'
import { openTrace, turnsAfter } from '../trace/read-trace.ts'
import { createWakeSignal } from './wake-signal.ts'

/**
 * Makes the stream of what happens to a session (docs/api.md 4.15). It ends with the session, and when its signal is
 * aborted. The session is not held meanwhile.
 *
 * Throws as a look does, and TOO_MANY_REQUESTS for one stream too many.
 */
export function createFollowSession(deps: ChatDependencies): Pick<Chat, 'follow' | 'followTrace'> {
  // A client that has hung up by now gets no event, and its end is never signalled.
  const enter = ({ sessionId, signal }: FollowRequest) => {
    if (signal.aborted || deps.eventStreams.admit(sessionId, signal)) return
    throw new ServiceError('TOO_MANY_REQUESTS', 'Too many streams of events are open', { retryAfter: 5 })
  }
  return {
    follow: async (request) => {
      const { stored } = await openSession(request, deps)
      enter(request)
      return follow(request, stored, deps)
    },
    followTrace: async (request) => {
      await openTrace(request, deps)
      enter(request)
      return followTrace(request, deps)
    },
  }
}

/** The turns of a trace as they come, those that are kept first. It ends with the session. */
async function* followTrace(request: FollowRequest, deps: LookDependencies): AsyncGenerator<TraceEvent> {
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

async function* follow(
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

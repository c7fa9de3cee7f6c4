import { ServiceError } from '../../errors.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { Chat, FollowRequest, SessionEvent, TraceEvent } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { openSession } from '../session/open-session.ts'
import { sessionVersion } from '../session/session-version.ts'
import { openTrace, turnsAfter } from '../trace/read-trace.ts'
import { createBell } from './bell.ts'

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
async function* followTrace(
  { sessionId, since, signal }: FollowRequest,
  { conversations }: Pick<ChatDependencies, 'conversations'>,
): AsyncGenerator<TraceEvent> {
  const bell = createBell()
  const unsubscribe = await conversations.subscribe(sessionId, bell.ring)
  signal.addEventListener('abort', bell.ring, { once: true })
  try {
    let last = Number(since ?? 0)
    while (!signal.aborted) {
      const session = (await conversations.look(sessionId))?.session
      for (const turn of turnsAfter(session?.trace, last)) {
        last = turn.turn
        yield { type: 'turn', version: String(turn.turn), data: JSON.stringify(turn) }
      }
      if (!session?.trace || session.state === 'ended') return
      await bell.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.ring)
  }
}

async function* follow(
  { sessionId, since, signal }: FollowRequest,
  first: StoredConversation,
  { conversations }: Pick<ChatDependencies, 'conversations'>,
): AsyncGenerator<SessionEvent> {
  const bell = createBell()
  const unsubscribe = await conversations.subscribe(sessionId, bell.ring)
  signal.addEventListener('abort', bell.ring, { once: true })
  try {
    let version = since ?? sessionVersion(first)
    let payload: string | undefined
    while (!signal.aborted) {
      const stored = await conversations.look(sessionId)
      const present = stored ? sessionVersion(stored) : version
      if (stored?.payload && payload !== payloadName(stored)) {
        payload = payloadName(stored)
        yield { type: 'webhook', version: present }
      }
      const isOver = !stored || stored.session.state === 'ended'
      if (present !== version || isOver) yield { type: 'updated', version: present }
      if (isOver) return
      version = present
      await bell.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.ring)
  }
}

/** Identifies a payload: earlier ones have its number only at other revisions. */
function payloadName({ revision, payload }: StoredConversation): string {
  return `${revision} ${payload?.number}`
}

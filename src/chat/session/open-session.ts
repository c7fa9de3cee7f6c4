import type { Conversation } from '../../engine/model/conversation.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import { ServiceError } from '../../errors.ts'
import type { Session } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { checkOrigin } from './check-origin.ts'
import { type ConversationSources, restoreConversation } from './restore-conversation.ts'
import { sessionKey } from './session-key.ts'

/** Who asks for a session. */
export interface SessionRequest {
  readonly sessionId: string
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
}

/** A session that can go on, with its conversation. */
export interface OpenSession {
  readonly session: Session
  readonly conversation: Conversation
}

type SessionSources = ConversationSources & Pick<ChatDependencies, 'sessions'>

/**
 * Does something with a session while nobody else does: whoever comes meanwhile waits in the order of arrival.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin, and
 * TOO_MANY_REQUESTS when too many wait.
 */
export async function withSession<T>(
  request: SessionRequest,
  deps: SessionSources,
  work: (open: OpenSession) => Promise<T>,
): Promise<T> {
  for (const kind of kinds) {
    const key = sessionKey(kind, request.sessionId)
    const done = await deps.sessions.exclusive(key, async () => {
      const session = await deps.sessions.get(key)
      return session && { result: await work(await open(session, request, deps)) }
    })
    if (done) return done.result
  }
  throw notFound()
}

/** Looks a session up; it may change meanwhile. Throws as `withSession` does. */
export async function openSession(request: SessionRequest, deps: SessionSources): Promise<OpenSession> {
  for (const kind of kinds) {
    const session = await deps.sessions.get(sessionKey(kind, request.sessionId))
    if (session) return await open(session, request, deps)
  }
  throw notFound()
}

/** Previews choose their ids: a live session of the same id is meant first. */
const kinds = ['live', 'preview'] as const

async function open(
  session: Session,
  { origin }: SessionRequest,
  deps: SessionSources,
): Promise<OpenSession> {
  const conversation = session.state === 'ended' ? undefined : await restoreConversation(session, deps)
  if (!conversation) throw notFound()
  if (conversation.isLive) checkOrigin(origin, rootFrameOf(conversation).program)
  return { session, conversation }
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Session not found.')
}

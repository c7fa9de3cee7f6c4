import type { Conversation } from '../../engine/model/conversation.ts'
import { rootOf } from '../../engine/model/conversation.ts'
import { ServiceError } from '../../errors.ts'
import type { Session } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { checkOrigin } from './check-origin.ts'
import { type ConversationSources, conversationOf } from './restore-conversation.ts'
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
  chat: SessionSources,
  work: (open: OpenSession) => Promise<T>,
): Promise<T> {
  for (const kind of kinds) {
    const key = sessionKey(kind, request.sessionId)
    const done = await chat.sessions.exclusive(key, async () => {
      const session = await chat.sessions.get(key)
      return session && { result: await work(await open(session, request, chat)) }
    })
    if (done) return done.result
  }
  throw notFound()
}

/** Looks a session up; it may change meanwhile. Throws as `withSession` does. */
export async function openSession(request: SessionRequest, chat: SessionSources): Promise<OpenSession> {
  for (const kind of kinds) {
    const session = await chat.sessions.get(sessionKey(kind, request.sessionId))
    if (session) return await open(session, request, chat)
  }
  throw notFound()
}

/** Previews choose their ids: a live session of the same id is meant first. */
const kinds = ['live', 'preview'] as const

async function open(
  session: Session,
  { origin }: SessionRequest,
  chat: SessionSources,
): Promise<OpenSession> {
  const conversation = session.state === 'ended' ? undefined : await conversationOf(session, chat)
  if (!conversation) throw notFound()
  if (conversation.isLive) checkOrigin(origin, rootOf(conversation).program)
  return { session, conversation }
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Session not found.')
}

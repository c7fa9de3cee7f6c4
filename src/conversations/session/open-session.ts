import type { Conversation } from '../../engine/model/conversation.ts'
import type { Program } from '../../engine/model/program.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { OnFlow } from '../../ports/request-log-port.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type ConversationSources, restoreConversation } from './restore-conversation.ts'

/** Request about a session. */
export interface SessionRequest {
  readonly sessionId: string
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly caller: Caller
  /** The language that it is to go on in; absent for the one that it is in. */
  readonly locale?: string | undefined
  readonly onFlow?: OnFlow | undefined
}

/** A session that can go on, as it is stored and as it runs. */
export interface OpenSession {
  readonly stored: StoredConversation
  readonly conversation: Conversation
}

type SessionSources = ConversationSources & Pick<ChatDependencies, 'conversations'>

/**
 * Looks a session up; it may change meanwhile. Throws NOT_FOUND for a session that is unknown, ended or forgotten,
 * UNAUTHORIZED for a preview that needs the token, and FORBIDDEN for a foreign origin.
 */
export async function openSession(request: SessionRequest, deps: SessionSources): Promise<OpenSession> {
  return openStored(await deps.conversations.look(request.sessionId), request, deps)
}

/** Opens a session that was looked up or entered. Throws as `openSession` does. */
export async function openStored(
  stored: StoredConversation | undefined,
  { sessionId, origin, caller, locale, onFlow }: SessionRequest,
  deps: SessionSources,
): Promise<OpenSession> {
  if (!stored) throw sessionNotFound(await deps.conversations.whyMissing(sessionId))
  if (stored.session.needsToken && caller.kind === 'anonymous') throw unauthorized()
  onFlow?.({ flow: stored.session.publicId, sessionId })
  if (stored.session.state === 'ended') throw sessionNotFound('ended')
  const conversation = await restoreConversation(stored.session, deps, locale)
  // A definition that it is pinned to made room for others.
  if (!conversation) throw sessionNotFound('expired')
  if (origin !== undefined && conversation.isLive) checkOrigin(origin, conversation.frames[0].program)
  return { stored, conversation }
}

/** The refusal of a preview whose id a client chose, to callers without the token. */
export function unauthorized(): ServiceError {
  const message =
    'This preview was started with the preview token on an id of your choice: it needs the token to go on'
  return new ServiceError('UNAUTHORIZED', message)
}

/** The one error for all sessions that can't go on; only its reason differs. */
export function sessionNotFound(reason: 'ended' | 'expired' | 'unknown'): ServiceError {
  return new ServiceError('NOT_FOUND', 'Session not found.', { extension: { reason } })
}

/**
 * Refuses browsers on sites that the flow does not allow. Only browsers send an origin; this keeps other sites from
 * embedding a flow, and is no authentication (docs/api.md 4.1).
 */
export function checkOrigin(origin: string, { allowedOrigins }: Program): void {
  if (allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return
  throw new ServiceError('FORBIDDEN', 'Origin not allowed')
}

import type { Conversation } from '../../engine/model/conversation.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import { ServiceError } from '../../errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { OnFlow } from '../../ports/request-trace-port.ts'
import type { MaybePromise, StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { flowNameOf } from '../turn/report-errors.ts'
import { checkOrigin } from './check-origin.ts'
import { type ConversationSources, restoreConversation } from './restore-conversation.ts'

/** Who asks for a session. */
export interface SessionRequest {
  readonly sessionId: string
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly caller: Caller
  readonly onFlow?: OnFlow | undefined
}

/** A session that can go on, as it is stored and as it runs. */
export interface OpenSession {
  readonly stored: StoredConversation
  readonly conversation: Conversation
}

export type SessionSources = ConversationSources & Pick<ChatDependencies, 'conversations'>

/**
 * Looks a session up; it may change meanwhile. Throws NOT_FOUND for a session that is unknown, ended or forgotten,
 * UNAUTHORIZED for a preview that needs the token, and FORBIDDEN for a foreign origin.
 */
export async function openSession(request: SessionRequest, deps: SessionSources): Promise<OpenSession> {
  return openStored(await deps.conversations.look(request.sessionId), request, deps)
}

/** Opens a session that was looked up or entered. Throws, or rejects, as `openSession` does. */
export function openStored(
  stored: StoredConversation | undefined,
  { sessionId, origin, caller, onFlow }: SessionRequest,
  deps: SessionSources,
): MaybePromise<OpenSession> {
  if (stored?.session.needsToken && caller.kind === 'anonymous') throw unauthorized()
  if (!stored) return refuseMissing(sessionId, deps)
  onFlow?.(flowNameOf(stored.session))
  if (stored.session.state === 'ended') throw sessionNotFound('ended')
  const open = (conversation: Conversation | undefined): OpenSession => {
    // A definition that it is pinned to made room for others.
    if (!conversation) throw sessionNotFound('expired')
    if (conversation.isLive) checkOrigin(origin, rootFrameOf(conversation).program)
    return { stored, conversation }
  }
  const restored = restoreConversation(stored.session, deps)
  return restored instanceof Promise ? restored.then(open) : open(restored)
}

async function refuseMissing(id: string, { conversations }: SessionSources): Promise<never> {
  throw sessionNotFound(await conversations.whyMissing(id))
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

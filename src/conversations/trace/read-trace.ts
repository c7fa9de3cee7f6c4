import type { TurnTrace } from '../../../schemas/trace.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { SessionTrace } from '../../sessions/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type SessionRequest, sessionNotFound, unauthorized } from '../session/open-session.ts'

interface TraceRequest extends Pick<SessionRequest, 'sessionId' | 'caller'> {
  /** Turns up to this one are left out. */
  readonly after?: number | undefined
}

type Sources = Pick<ChatDependencies, 'conversations'>

/**
 * Returns what the turns of a traced preview did, also when it has ended. Throws NOT_FOUND for a session that is
 * unknown or has no trace, and UNAUTHORIZED for one that needs the token.
 */
export async function readTrace(request: TraceRequest, deps: Sources): Promise<TurnTrace[]> {
  return turnsAfter(await openTrace(request, deps), request.after ?? 0)
}

/** Looks a trace up. Throws as `readTrace` does. */
export async function openTrace(
  { sessionId, caller }: Pick<TraceRequest, 'sessionId' | 'caller'>,
  { conversations }: Sources,
): Promise<SessionTrace> {
  const stored = await conversations.look(sessionId)
  if (stored?.session.needsToken && caller.kind === 'anonymous') throw unauthorized()
  if (!stored) throw sessionNotFound(await conversations.whyMissing(sessionId))
  if (stored.session.trace) return stored.session.trace
  throw new ServiceError('NOT_FOUND', 'The session has no trace: start the preview with "trace": true')
}

/** The turns that are kept behind a number. */
export const turnsAfter = (trace: SessionTrace | undefined, after: number): TurnTrace[] =>
  (trace?.kept ?? []).filter(({ turn }) => turn > after)

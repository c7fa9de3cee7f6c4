import type { ByteString } from '../../lib/byte-string.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Session, Timer } from '../../sessions/session.ts'
import { takeTurn } from '../continue/take-turn.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Logged, Versioned } from '../request.ts'
import { commitTurn, enterSession } from '../session/enter-session.ts'
import { openStored, type SessionRequest, sessionNotFound } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'
import { firstTimer } from './timers-after.ts'

interface SkipRequest extends SessionRequest, Versioned, Logged {}

/**
 * Takes the turn of the earliest timer of a preview now, on its clock where that stands; answers as a continue does. Throws
 * NOT_FOUND for live sessions too, and CONFLICT where no timer is set.
 */
export async function skipToTimer(request: SkipRequest, deps: ChatDependencies): Promise<ByteString> {
  const { lease, conversation: stored } = await enterSession(request.sessionId, deps)
  try {
    const { conversation } = await openStored(stored, request, deps)
    if (conversation.isLive) throw sessionNotFound('unknown')
    const timer = firstTimer(stored.session.timers)
    if (!timer) throw new ServiceError('CONFLICT', 'The session has no timer: it does nothing by itself')
    const { requestLog } = request
    const then = { ...stored, session: { ...stored.session, mocks: mocksAt(timer, stored.session) } }
    const held = { stored: then, conversation, lease }
    const { answer, commit } = await takeTurn(undefined, held, {
      request: { body: {}, requestLog, timer },
      deps,
    })
    const revision = await commitTurn(lease, commit, deps)
    request.onVersion?.(sessionVersion({ session: commit.session, revision }))
    return answer
  } finally {
    await deps.conversations.release(lease)
  }
}

/** The world at the time of a timer, where its clock stands. */
function mocksAt({ due = 0 }: Timer, { mocks }: Session): Session['mocks'] {
  const clock = mocks?.rules.clock
  if (!mocks || clock === undefined) return mocks
  return { ...mocks, advancedMs: Math.max(due - Date.parse(clock), mocks.advancedMs ?? 0) }
}

import { sessionKey } from '../chat/session/session-key.ts'
import type { Result } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/**
 * Erases a result, and the session and the files that hold the same answers. The session goes first, after the turn
 * that it may be in, and the result last: when anything hinders it, the result is still there to be erased again.
 */
export async function eraseResult(result: Result, deps: ResultsDependencies): Promise<void> {
  const { id, flowId, lastChatSessionId } = result
  await eraseSession(lastChatSessionId, deps)
  await deps.eraseFiles?.(id)
  const last = await deps.results.delete(flowId, id)
  // A visitor who came back meanwhile has begun another session.
  if (last && last.lastChatSessionId !== lastChatSessionId) await eraseSession(last.lastChatSessionId, deps)
}

async function eraseSession(id: string, { sessions }: ResultsDependencies): Promise<void> {
  const key = sessionKey('live', id)
  await sessions.exclusive(key, () => sessions.delete(key))
}

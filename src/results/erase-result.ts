import type { Result } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/**
 * Erases a result, and the session and the files that hold the same answers. The session goes first, after the turn
 * that it may be in, and the result last: when anything hinders it, the result is still there to be erased again.
 */
export async function eraseResult(result: Result, deps: ResultsDependencies): Promise<void> {
  const { conversations } = deps
  const { id, flowId, lastChatSessionId } = result
  await conversations.erase(lastChatSessionId)
  await deps.eraseFiles?.(id)
  const last = await deps.results.delete(flowId, id)
  // A visitor who came back meanwhile has begun another session.
  if (last && last.lastChatSessionId !== lastChatSessionId) await conversations.erase(last.lastChatSessionId)
}

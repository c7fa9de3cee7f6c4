import { assign } from '../../engine/turn/assign-variable.ts'
import { createTurn } from '../../engine/turn/block-context.ts'
import { ServiceError } from '../../lib/errors.ts'
import { leftBy } from '../continue/turn-commit.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { announce, resultEvents } from '../outgoing/outgoing-events.ts'
import type { Logged } from '../request.ts'
import { commitTurn, enterSession } from '../session/enter-session.ts'
import { openStored, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'
import { reportErrors } from '../turn/report-turn.ts'
import { turnOptions } from '../turn/run-turn.ts'
import type { StreamResult } from './stream-block.ts'

type SavedParts = Pick<StreamResult, 'assignments' | 'logs' | 'mocks'>

/**
 * Writes down what an answer left behind, in a turn of its own, and gives the state that the session is in then. A
 * session that is not in the state from which the answer was asked has gone on: it keeps nothing of it, and neither
 * does one that was started in its place.
 */
export async function saveStreamResult(
  { assignments, logs, mocks }: SavedParts,
  { request, state }: { readonly request: SessionRequest & Logged; readonly state: string },
  deps: ChatDependencies,
): Promise<string> {
  if (assignments.length === 0 && logs.length === 0 && !mocks) return state
  try {
    return await saveInTurn({ assignments, logs, mocks }, { request, state }, deps)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error
    return state
  }
}

async function saveInTurn(
  { assignments, logs, mocks }: SavedParts,
  { request, state }: { readonly request: SessionRequest & Logged; readonly state: string },
  deps: ChatDependencies,
): Promise<string> {
  const { lease, conversation: stored } = await enterSession(request.sessionId, deps)
  try {
    const { conversation } = await openStored(stored, request, deps)
    if (sessionVersion(stored) !== state) return state
    const turn = createTurn(conversation, turnOptions(deps))
    for (const assignment of assignments) assign(turn, assignment)
    for (const entry of logs) turn.output.log(entry)
    const { requestLog } = request
    const session = mocks ? { ...stored.session, mocks } : stored.session
    const left = leftBy(turn, session, { requestId: requestLog?.requestId, deps })
    const outgoing = announce(left.session, resultEvents(left.results), deps)
    const revision = await commitTurn(lease, { ...left, payloads: 'keep', outgoing }, deps)
    reportErrors(
      turn.output.logs,
      { publicId: session.publicId, sessionId: request.sessionId, requestLog },
      deps,
    )
    return sessionVersion({ session, revision })
  } finally {
    await deps.conversations.release(lease)
  }
}

import { assign } from '../../engine/turn/assign-variable.ts'
import { createTurn } from '../../engine/turn/create-turn.ts'
import { ServiceError } from '../../errors.ts'
import { saveTurn } from '../continue/continue-chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Traced } from '../request.ts'
import { withSession } from '../session/enter-session.ts'
import type { SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/session-version.ts'
import { reportErrors } from '../turn/report-errors.ts'
import { turnOptions } from '../turn/run-turn.ts'
import type { StreamResult } from './stream-block.ts'

/**
 * Writes down what an answer left behind, in a turn of its own, and gives the state that the session is in then. A
 * session that is not in the state from which the answer was asked has gone on: it keeps nothing of it, and neither
 * does one that was started in its place.
 */
export async function saveStreamResult(
  { assignments, logs, mocks }: Pick<StreamResult, 'assignments' | 'logs' | 'mocks'>,
  { request, state }: { readonly request: SessionRequest & Traced; readonly state: string },
  deps: ChatDependencies,
): Promise<string> {
  if (assignments.length === 0 && logs.length === 0 && !mocks) return state
  const keep = withSession(request, deps, async (entered) => {
    const { stored, conversation } = entered
    if (sessionVersion(stored) !== state) return state
    const turn = createTurn(conversation, turnOptions({}, deps))
    for (const assignment of assignments) assign(turn, assignment)
    for (const entry of logs) turn.output.log(entry)
    const { trace } = request
    const saved = { payloads: 'keep', requestId: trace?.requestId, mocks } as const
    const revision = await saveTurn(turn, entered, saved, deps)
    reportErrors(turn.output.logs, { publicId: stored.session.publicId, trace }, deps)
    return sessionVersion({ ...stored, revision })
  })
  return keep.catch((error) => {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error
    return state
  })
}

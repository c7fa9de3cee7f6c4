import { createHash } from 'node:crypto'
import { assign } from '../../engine/turn/assign-variable.ts'
import { Turn } from '../../engine/turn/turn.ts'
import { ServiceError } from '../../errors.ts'
import type { Session } from '../../stores/session.ts'
import { saveTurn } from '../continue/continue-chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type SessionRequest, withSession } from '../session/open-session.ts'
import { sessionKey } from '../session/session-key.ts'
import { turnOptions } from '../turn/run-turn.ts'
import type { StreamResult } from './stream-block.ts'

/** Names the state of a session: a conversation that goes on gets another, what comes in from elsewhere doesn't count. */
export function sessionVersion({ payload: _, ...session }: Session): string {
  return createHash('sha256').update(JSON.stringify(session)).digest('base64url')
}

/**
 * Writes down what an answer left behind, in a turn of its own, and gives the state that the session is in then. A
 * session that is not in the state from which the answer was asked has gone on: it keeps nothing of it, and neither
 * does one that was started in its place.
 */
export async function saveStreamResult(
  { assignments, logs }: Pick<StreamResult, 'assignments' | 'logs'>,
  { request, state }: { readonly request: SessionRequest; readonly state: string },
  deps: ChatDependencies,
): Promise<string> {
  if (assignments.length === 0 && logs.length === 0) return state
  const keep = withSession(request, deps, async ({ session, conversation }) => {
    if (sessionVersion(session) !== state) return state
    const turn = new Turn(conversation, turnOptions({}, deps))
    for (const assignment of assignments) assign(turn, assignment)
    for (const entry of logs) turn.log(entry)
    await saveTurn(turn, { before: session, after: session }, deps)
    const kept = await deps.sessions.get(sessionKey(session.kind, session.id))
    return kept ? sessionVersion(kept) : state
  })
  return keep.catch((error) => {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error
    return state
  })
}

import { presentWaiting } from '../../engine/walk/present-waiting.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { OpenSession } from '../session/open-session.ts'
import { beginTurn, type TurnRun, walkTurn, withTurnLimits } from '../turn/run-turn.ts'

/**
 * Renders what a session waits for with its present values, and keeps nothing of the conversation. Code inside of texts
 * runs as in a turn: it computes, and can neither write variables nor make requests.
 */
export async function presentState(
  { stored: { session }, conversation }: OpenSession,
  deps: ChatDependencies,
): Promise<TurnRun> {
  const { kind, isTrusted, publicId, id: sessionId } = session
  const owner = { kind, isTrusted, sessionId, isUnderWay: true, publicId }
  const run = beginTurn(conversation, { owner }, withTurnLimits(session, deps))
  await walkTurn(run, presentWaiting(run.turn))
  return run
}

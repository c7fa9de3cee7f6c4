import { createTurn } from '../../engine/turn/create-turn.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { presentWaiting } from '../../engine/walk/present-waiting.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { EffectRunner } from '../turn/effect-runner.ts'
import { withTurnLimits } from '../turn/preview-limits.ts'
import { createEffectRunner, runTurn, turnOptions } from '../turn/run-turn.ts'

/** A turn that rendered what a session waits for, and what else is to be rendered with it. */
export interface PresentState {
  readonly turn: Turn
  readonly driver: EffectRunner
}

/**
 * Renders what a session waits for with its present values, and keeps nothing of the conversation. Code inside of texts
 * runs as in a turn: it computes, and can neither write variables nor make requests.
 */
export async function presentState(open: OpenSession, deps: ChatDependencies): Promise<PresentState> {
  const { kind, isTrusted, publicId, id: sessionId } = open.stored.session
  const chat = withTurnLimits(open.stored.session, deps)
  const turn = createTurn(open.conversation, turnOptions({}, chat))
  const owner = { kind, isTrusted, sessionId, isUnderWay: true, publicId }
  const driver = createEffectRunner(turn, owner, chat)
  await runTurn(turn, presentWaiting(turn), { driver, owner, chat })
  return { turn, driver }
}

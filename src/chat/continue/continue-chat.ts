import type { ByteString } from '../../byte-string.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { Turn } from '../../engine/turn/turn.ts'
import { resume } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { collectResultUpdates, saveResults } from '../../results/result-updates.ts'
import type { Session } from '../../stores/session.ts'
import type { ContinueRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { writeContinueResponse } from '../response/chat-response.ts'
import { type OpenSession, withSession } from '../session/open-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { sessionKey } from '../session/session-key.ts'
import { withTurnLimits } from '../turn/preview-limits.ts'
import { recordTurnMetrics } from '../turn/record-turn-metrics.ts'
import { createEffectRunner, runTurn, turnOptions } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { takeWebhookReply } from './execute-webhook.ts'
import { undoUnless } from './undo.ts'

/**
 * Goes on with a session (docs/api.md 4.3), one request of a session at a time.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin, BAD_REQUEST
 * for a message that the conversation can do nothing with; the session is then left as it was.
 */
export async function continueChat(request: ContinueRequest, deps: ChatDependencies): Promise<ByteString> {
  const input = readUserInput(request.body.message)
  return withSession(request, deps, async (open) => {
    const limited = withTurnLimits(open.session, deps)
    if (!isClientReply(input, open)) checkLength(input, limited.limits)
    const turn = new Turn(open.conversation, turnOptions(request.body, limited))
    const isFirst = open.session.state === 'registered'
    const { kind, isTrusted, id: sessionId } = open.session
    const { waitingBlock } = open.conversation
    const driver = createEffectRunner(turn, { kind, isTrusted, sessionId, isUnderWay: true }, limited)
    const walk = isFirst
      ? start(turn, undefined, input)
      : resume(turn, input ?? takeWebhookReply(open.session))
    await runTurn(turn, walk, { driver, chat: limited })
    recordTurnMetrics(turn, { entry: 'continue', driver, metrics: deps.metrics })
    // A command that comes back leaves what came in from elsewhere for the next continue.
    const isBack = input?.type === 'command' && turn.conversation.waitingBlock === waitingBlock
    const before = open.session
    await saveTurn(turn, { before, after: isBack ? before : { ...before, payload: undefined } }, deps)
    return writeContinueResponse(turn, { isFirst })
  })
}

/** Whether this is a client's answer to an action, as long as what another system told it. */
function isClientReply(
  input: UserInput | undefined,
  { conversation: { waitingBlock } }: OpenSession,
): boolean {
  return input?.type === 'text' && waitingBlock !== undefined && waitingBlock.handler?.kind !== 'input'
}

/** Keeps what a turn changed. Nobody else touches the session meanwhile, so it is put back when its results can't be kept. */
export async function saveTurn(
  turn: Turn,
  { before, after }: { readonly before: Session; readonly after: Session },
  deps: ChatDependencies,
): Promise<void> {
  const { id, kind } = before
  const key = sessionKey(kind, id)
  await deps.sessions.save(key, serializeConversation(turn.conversation, after))
  const results = collectResultUpdates(turn, { sessionId: id, now: deps.ports.now() }, deps)
  if (results.length === 0) return
  await undoUnless(saveResults(results, deps.results), () => deps.sessions.save(key, before))
}

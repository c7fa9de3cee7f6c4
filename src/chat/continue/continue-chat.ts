import type { WireText } from '../../byte-string.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { Turn } from '../../engine/turn/turn.ts'
import { resume } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { resultUpdates, saveResults } from '../../results/result-updates.ts'
import type { Session } from '../../stores/session.ts'
import type { ContinueRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { writeContinueResponse } from '../response/chat-response.ts'
import { type OpenSession, withSession } from '../session/open-session.ts'
import { sessionRecord } from '../session/serialize-conversation.ts'
import { sessionKey } from '../session/session-key.ts'
import { limitedTo } from '../turn/preview-limits.ts'
import { countTurn } from '../turn/record-turn-metrics.ts'
import { createTurnDriver, runTurn, turnOptions } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { replyOf } from './execute-webhook.ts'
import { undoUnless } from './undo.ts'

/**
 * Goes on with a session (docs/api.md 4.3), one request of a session at a time.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin, BAD_REQUEST
 * for a message that the conversation can do nothing with; the session is then left as it was.
 */
export async function continueChat(request: ContinueRequest, chat: ChatDependencies): Promise<WireText> {
  const input = readUserInput(request.body.message)
  return withSession(request, chat, async (open) => {
    const limited = limitedTo(open.session, chat)
    if (!sendsBack(input, open)) checkLength(input, limited.limits)
    const turn = new Turn(open.conversation, turnOptions(request.body, limited))
    const isFirst = open.session.state === 'registered'
    const { kind, isTrusted, id: sessionId } = open.session
    const { waitingBlock } = open.conversation
    const driver = createTurnDriver(turn, { kind, isTrusted, sessionId }, limited)
    const walk = isFirst ? start(turn, undefined, input) : resume(turn, input ?? replyOf(open.session))
    await runTurn(turn, walk, { driver, chat: limited })
    countTurn(turn, { entry: 'continue', driver, metrics: chat.metrics })
    // A command that comes back leaves what came in from elsewhere for the next continue.
    const isBack = input?.type === 'command' && turn.conversation.waitingBlock === waitingBlock
    const before = open.session
    await saveTurn(turn, { before, after: isBack ? before : { ...before, payload: undefined } }, chat)
    return writeContinueResponse(turn, { isFirst })
  })
}

/** Whether this is a client's answer to an action, as long as what another system told it. */
function sendsBack(input: UserInput | undefined, { conversation: { waitingBlock } }: OpenSession): boolean {
  return input?.type === 'text' && waitingBlock !== undefined && waitingBlock.handler?.kind !== 'input'
}

/** Keeps what a turn changed. Nobody else touches the session meanwhile, so it is put back when its results can't be kept. */
export async function saveTurn(
  turn: Turn,
  { before, after }: { readonly before: Session; readonly after: Session },
  chat: ChatDependencies,
): Promise<void> {
  const { id, kind } = before
  const key = sessionKey(kind, id)
  await chat.sessions.save(key, sessionRecord(turn.conversation, after))
  const results = resultUpdates(turn, { sessionId: id, now: chat.ports.now() }, chat)
  if (results.length === 0) return
  await undoUnless(saveResults(results, chat.results), () => chat.sessions.save(key, before))
}

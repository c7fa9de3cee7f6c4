import { resume } from '../engine/resume.ts'
import { start } from '../engine/start.ts'
import { Turn } from '../engine/turn.ts'
import type { ContinueRequest } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { findFlowFor } from './find-flow.ts'
import { type OpenSession, withSession } from './find-session.ts'
import { saveResults } from './result-records.ts'
import { runTurn, turnOptions } from './run-turn.ts'
import { sessionKey } from './session-key.ts'
import { sessionRecord } from './session-record.ts'
import { writeContinueResponse } from './turn-response.ts'
import { readUserInput } from './user-input.ts'

/**
 * Goes on with a session (docs/api.md 4.3), one request of a session at a time.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin, BAD_REQUEST
 * for a message that the conversation can do nothing with; the session is then left as it was.
 */
export async function continueChat(request: ContinueRequest, chat: ChatDependencies): Promise<Buffer> {
  const input = readUserInput(request.body.message, chat.limits)
  return withSession(request, chat, async (open) => {
    const turn = new Turn(open.conversation, turnOptions(request.body, chat))
    const isFirst = open.session.state === 'registered'
    await runTurn(turn, isFirst ? start(turn, undefined, input) : resume(turn, input), {
      ...chat,
      findFlow: findFlowFor(open.session, chat.published),
    })
    await save(turn, open, chat)
    return writeContinueResponse(turn, { isFirst })
  })
}

/** The results first: a session that went on must not have lost what was said. */
async function save(turn: Turn, { session }: OpenSession, chat: ChatDependencies): Promise<void> {
  const { id, kind, state } = session
  await saveResults(turn, { sessionId: id, now: chat.ports.now(), mayCreate: state === 'registered' }, chat)
  await chat.sessions.save(sessionKey(kind, id), sessionRecord(turn.conversation, session))
}

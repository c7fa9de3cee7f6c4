import { ServiceError } from '../errors.ts'
import type { PublishedFlow } from '../stores/published-flows.ts'
import type { StartPublishedRequest } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { runFirstTurn } from './first-turn.ts'
import { checkOrigin } from './origin.ts'
import { findRemembered } from './remembered-result.ts'
import { saveResults } from './result-records.ts'
import { sessionKey } from './session-key.ts'
import { sessionRecord } from './session-record.ts'
import { writeStartResponse } from './turn-response.ts'
import { undoUnless } from './undo.ts'

const closedByDefault = 'This bot is now closed'

/**
 * Starts a live session (docs/api.md 4.1). Whether it may is decided before anything of the flow runs.
 *
 * Throws NOT_FOUND for a flow that is not published, BAD_REQUEST for a closed one, FORBIDDEN for a foreign origin.
 */
export async function startPublishedChat(
  request: StartPublishedRequest,
  chat: ChatDependencies,
): Promise<Buffer> {
  const { body } = request
  const published = await findOpenFlow(request, chat)
  const { program } = published
  const earlier =
    body.resultId === undefined ? undefined : await findRemembered(published, body.resultId, chat.results)
  const resultId = earlier?.result.id ?? chat.ports.createId('result')
  const sessionId = chat.ports.createId('session')
  const first = await runFirstTurn(
    {
      program,
      body,
      resultId,
      remembered: earlier?.remembered,
      isProgressTracked: program.isProgressTracked,
    },
    { kind: 'live', sessionId },
    chat,
  )
  const isOnlyRegistering = body.isOnlyRegistering === true
  const now = chat.ports.now()
  const session = sessionRecord(first.turn.conversation, {
    id: sessionId,
    createdAt: now,
    isRegisteredOnly: isOnlyRegistering,
    publicId: published.publicId,
  })
  await chat.sessions.save(sessionKey('live', sessionId), session)
  if (!isOnlyRegistering) {
    const saving = saveResults(first.turn, { sessionId, now }, chat)
    await undoUnless(saving, () => chat.sessions.delete(sessionKey('live', sessionId)))
  }
  return writeStartResponse(first, {
    sessionId,
    resultId,
    publishedAt: published.publishedAt,
    isOnlyRegistering,
  })
}

async function findOpenFlow(request: StartPublishedRequest, chat: ChatDependencies): Promise<PublishedFlow> {
  const published = await chat.published.byPublicId(request.publicId)
  if (!published || published.isArchived) throw new ServiceError('NOT_FOUND', 'Flow not found')
  if (published.isClosed) {
    const { botClosed } = published.flow.settings.general?.systemMessages ?? {}
    throw new ServiceError('BAD_REQUEST', botClosed ?? closedByDefault)
  }
  checkOrigin(request.origin, published.program)
  return published
}

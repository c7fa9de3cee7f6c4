import type { Program } from '../engine/program.ts'
import { ServiceError } from '../errors.ts'
import type { PublishedFlow } from '../stores/published-flows.ts'
import type { StartPublishedRequest } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { findPublishedFlow } from './find-flow.ts'
import { runFirstTurn } from './first-turn.ts'
import { findRemembered } from './remembered-result.ts'
import { resultRecords } from './result-records.ts'
import { sessionKey } from './session-key.ts'
import { sessionRecord } from './session-record.ts'
import { writeStartResponse } from './start-response.ts'

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
  const earlier = await findRemembered(published, body.resultId, chat.results)
  const resultId = earlier?.result.id ?? chat.ports.createId('result')
  const first = await runFirstTurn(
    {
      program,
      body,
      resultId,
      remembered: earlier?.remembered,
      isProgressTracked: program.isProgressTracked,
    },
    chat,
    (flowId) => findPublishedFlow(chat.published, flowId),
  )
  const sessionId = chat.ports.createId('session')
  const isOnlyRegistering = body.isOnlyRegistering === true
  const facts = { id: sessionId, createdAt: chat.ports.now(), isRegisteredOnly: isOnlyRegistering }
  const session = sessionRecord(first.turn.conversation, { ...facts, publicId: published.publicId })
  await chat.sessions.save(sessionKey('live', sessionId), session)
  if (!isOnlyRegistering) {
    const records = resultRecords(first.turn, { sessionId, now: facts.createdAt, earlier: earlier?.result })
    await Promise.all(records.map((record) => chat.results.save(record)))
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
  if (!isAllowed(request.origin, published.program)) throw new ServiceError('FORBIDDEN', 'Origin not allowed')
  return published
}

/** Only browsers send an origin; this keeps other sites from embedding a flow, and is no authentication. */
function isAllowed(origin: string | undefined, { allowedOrigins }: Program): boolean {
  return origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin)
}

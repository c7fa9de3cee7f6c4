import type { WireText } from '../../byte-string.ts'
import { ServiceError } from '../../errors.ts'
import { resultUpdates, saveResults } from '../../results/result-updates.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { StartPublishedRequest } from '../chat.ts'
import { undoUnless } from '../continue/undo.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { withIds, writeStart } from '../response/chat-response.ts'
import { checkOrigin } from '../session/check-origin.ts'
import { sessionRecord } from '../session/serialize-conversation.ts'
import { sessionKey } from '../session/session-key.ts'
import { findRemembered } from './returning-visitor.ts'
import { runFirstTurn } from './run-first-turn.ts'
import { type Opening, type Openings, openingOf } from './start-snapshot-cache.ts'

const closedByDefault = 'This bot is now closed'

/**
 * Starts a live session (docs/api.md 4.1). Whether it may is decided before anything of the flow runs.
 *
 * Throws NOT_FOUND for a flow that is not published, BAD_REQUEST for a closed one, FORBIDDEN for a foreign origin.
 */
export async function startPublishedChat(
  request: StartPublishedRequest,
  chat: ChatDependencies,
  openings: Openings,
): Promise<WireText> {
  const { body } = request
  const published = await findOpenFlow(request, chat)
  const sessionId = chat.ports.createId('session')
  const known = openings.find(published, body)
  if (known) return begin(visitAgain(known, { sessionId, published }, chat), chat)
  const { visit, isForEverybody } = await firstVisit({ sessionId, published, body }, chat)
  if (isForEverybody) openings.keep(published, body, visit.opening)
  return begin(visit, chat)
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

/** An opening that is somebody's. */
interface Visit {
  readonly opening: Opening
  readonly sessionId: string
  readonly resultId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly publicId: string
  readonly isOnlyRegistering: boolean
}

interface Visitor {
  readonly sessionId: string
  readonly published: PublishedFlow
}

/** What others began with is what this visitor begins with. */
function visitAgain(
  known: Opening,
  { sessionId, published }: Visitor,
  { ports, metrics }: ChatDependencies,
): Visit {
  const resultId = ports.createId('result')
  const now = ports.now()
  metrics.turnDone({ kind: 'live', entry: 'start', blocks: known.blocks, engineMs: 0 })
  const opening = openingOf(known, { sessionId, resultId, now })
  return { opening, sessionId, resultId, now, publicId: published.publicId, isOnlyRegistering: false }
}

/** What this visitor begins with is found out by walking the flow. */
async function firstVisit(
  { sessionId, published, body }: Visitor & Pick<StartPublishedRequest, 'body'>,
  chat: ChatDependencies,
): Promise<{ visit: Visit; isForEverybody: boolean }> {
  const { program, publicId, publishedAt } = published
  const earlier =
    body.resultId === undefined ? undefined : await findRemembered(published, body.resultId, chat.results)
  const resultId = earlier?.result.id ?? chat.ports.createId('result')
  const { remembered } = earlier ?? {}
  const { isProgressTracked } = program
  const first = await runFirstTurn(
    { program, body, resultId, remembered, isProgressTracked },
    { kind: 'live', sessionId },
    chat,
  )
  const isOnlyRegistering = body.isOnlyRegistering === true
  const now = chat.ports.now()
  const opening: Opening = {
    conversation: first.turn.conversation,
    results: isOnlyRegistering ? [] : resultUpdates(first.turn, { sessionId, now }, chat),
    response: writeStart(first, { publishedAt, isOnlyRegistering }),
    blocks: first.turn.trail.length,
  }
  const visit = { opening, sessionId, resultId, now, publicId, isOnlyRegistering }
  return { visit, isForEverybody: first.isForEverybody }
}

async function begin(visit: Visit, chat: ChatDependencies): Promise<WireText> {
  const { opening, sessionId, resultId, now, publicId, isOnlyRegistering } = visit
  const key = sessionKey('live', sessionId)
  const facts = { id: sessionId, createdAt: now, isRegisteredOnly: isOnlyRegistering, publicId }
  await chat.sessions.save(key, sessionRecord(opening.conversation, facts))
  if (opening.results.length > 0) {
    await undoUnless(saveResults(opening.results, chat.results), () => chat.sessions.delete(key))
  }
  return withIds({ sessionId, resultId }, opening.response)
}

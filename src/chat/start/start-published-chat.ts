import type { ByteString } from '../../byte-string.ts'
import { ServiceError } from '../../errors.ts'
import { collectResultUpdates } from '../../results/result-updates.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { StartPublishedRequest, Traced, Versioned } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { addIds, writeStartResponse } from '../response/chat-response.ts'
import { checkOrigin } from '../session/check-origin.ts'
import { answerInStart, saveStart } from '../session/enter-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { hasErrors, reportErrors } from '../turn/report-errors.ts'
import { findReturningVisitor } from './returning-visitor.ts'
import { runFirstTurn } from './run-first-turn.ts'
import { instantiateSnapshot, type StartSnapshot, type StartSnapshotCache } from './start-snapshot-cache.ts'

const closedByDefault = 'This bot is now closed'

/**
 * Starts a live session (docs/api.md 4.1). Whether it may is decided before anything of the flow runs.
 *
 * Throws NOT_FOUND for a flow that is not published, BAD_REQUEST for a closed one, FORBIDDEN for a foreign origin. A
 * repetition by `Idempotency-Key` is answered as the request before it.
 */
export function startPublishedChat(
  request: StartPublishedRequest,
  deps: ChatDependencies,
  openings: StartSnapshotCache,
): Promise<ByteString> {
  const { idempotency } = request
  if (!idempotency) return startLive(request, undefined, deps, openings)
  const newId = deps.ports.createId('session')
  const work = (lease: Lease) => startLive(request, lease, deps, openings)
  return answerInStart({ newId, idempotency }, deps, { repeatable: request, work })
}

async function startLive(
  request: StartPublishedRequest,
  lease: Lease | undefined,
  deps: ChatDependencies,
  openings: StartSnapshotCache,
): Promise<ByteString> {
  const { body } = request
  const published = await findOpenFlow(request, deps)
  const sessionId = lease?.id ?? deps.ports.createId('session')
  const terms = { lease, onVersion: request.onVersion }
  const visitor = { sessionId, published, trace: request.trace }
  const known = openings.find(published, body)
  if (known) return persistAndRespond(startFromSnapshot(known, visitor, deps), terms, deps)
  const { visit, isForEverybody } = await startByWalking({ ...visitor, body, lease }, deps)
  if (isForEverybody) openings.keep(published, body, visit.opening)
  return persistAndRespond(visit, terms, deps)
}

async function findOpenFlow(request: StartPublishedRequest, deps: ChatDependencies): Promise<PublishedFlow> {
  const published = await deps.published.byPublicId(request.publicId)
  if (!published || published.isArchived) throw new ServiceError('NOT_FOUND', 'Flow not found')
  if (published.isClosed) {
    const { botClosed } = published.flow.settings.general?.systemMessages ?? {}
    throw new ServiceError('BAD_REQUEST', botClosed ?? closedByDefault)
  }
  checkOrigin(request.origin, published.program)
  return published
}

/** An opening that is somebody's. */
interface StartedChat {
  readonly opening: StartSnapshot
  readonly sessionId: string
  readonly resultId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly publicId: string
  readonly isOnlyRegistering: boolean
}

interface Visitor extends Traced {
  readonly sessionId: string
  readonly published: PublishedFlow
}

/** What others began with is what this visitor begins with. */
function startFromSnapshot(
  known: StartSnapshot,
  { sessionId, published: { publicId }, trace }: Visitor,
  deps: ChatDependencies,
): StartedChat {
  const { ports, metrics } = deps
  const resultId = ports.createId('result')
  const now = ports.now()
  const { blocks, logs } = known
  metrics.turnDone({ kind: 'live', entry: 'start', blocks, engineMs: 0 })
  reportErrors(logs, { publicId, trace }, deps)
  trace?.turnDone({ flow: publicId, blocks, engineMs: 0, hasErrorLogs: hasErrors(logs) })
  const opening = instantiateSnapshot(known, { sessionId, resultId, now, requestId: trace?.requestId })
  return { opening, sessionId, resultId, now, publicId, isOnlyRegistering: false }
}

/** What this visitor begins with is found out by walking the flow. */
async function startByWalking(
  {
    sessionId,
    published,
    body,
    lease,
    trace,
  }: Visitor & Pick<StartPublishedRequest, 'body'> & { lease: Lease | undefined },
  deps: ChatDependencies,
): Promise<{ visit: StartedChat; isForEverybody: boolean }> {
  const { program, publicId, publishedAt } = published
  const earlier =
    body.resultId === undefined
      ? undefined
      : await findReturningVisitor(published, body.resultId, deps.results)
  const resultId = earlier?.result.id ?? deps.ports.createId('result')
  const { remembered } = earlier ?? {}
  const { isProgressTracked } = program
  const first = await runFirstTurn(
    { program, body, resultId, remembered, isProgressTracked },
    { kind: 'live', sessionId, lease, publicId, trace },
    deps,
  )
  const isOnlyRegistering = body.isOnlyRegistering === true
  const now = deps.ports.now()
  const facts = { sessionId, now, requestId: trace?.requestId }
  const opening: StartSnapshot = {
    conversation: first.turn.conversation,
    results: isOnlyRegistering ? [] : collectResultUpdates(first.turn, facts, deps),
    response: writeStartResponse(first, { publishedAt, isOnlyRegistering }),
    blocks: first.turn.budget.trail.length,
    logs: first.turn.output.logs,
  }
  const visit = { opening, sessionId, resultId, now, publicId, isOnlyRegistering }
  return { visit, isForEverybody: first.isCacheable }
}

async function persistAndRespond(
  visit: StartedChat,
  { lease, onVersion }: Versioned & { readonly lease: Lease | undefined },
  deps: ChatDependencies,
): Promise<ByteString> {
  const { opening, sessionId, resultId, now, publicId, isOnlyRegistering } = visit
  const facts = { id: sessionId, createdAt: now, isRegisteredOnly: isOnlyRegistering, publicId }
  const session = serializeConversation(opening.conversation, facts)
  const answer = addIds({ sessionId, resultId }, opening.response)
  const version = await saveStart({ session, results: opening.results, answer }, lease, deps)
  onVersion?.(version)
  return answer
}

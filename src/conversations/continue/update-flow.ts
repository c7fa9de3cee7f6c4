import { countMove } from '../../analytics/count-move.ts'
import { type Conversation, currentFrameOf, localeOf } from '../../engine/model/conversation.ts'
import { type Program, programIn } from '../../engine/model/program.ts'
import { ServiceError } from '../../lib/errors.ts'
import { anonymous } from '../../ports/caller.ts'
import { areResultsKept } from '../../results/result-updates.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { commitTurn, enterSession } from '../session/enter-session.ts'
import { openStored, type SessionRequest, sessionNotFound } from '../session/open-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { migrateConversation } from './migrate-conversation.ts'

export type UpdateFlowRequest = Pick<SessionRequest, 'sessionId' | 'onFlow'>

/**
 * Moves a live session to the published version of the flow that it is in (docs/api.md 4.5), between two turns.
 *
 * Throws NOT_FOUND for any session
 * but a live one, and for a flow that is not published any more; CONFLICT when the session has come to a place that
 * the published version lacks, and then leaves it as it was.
 */
export async function updateFlow(
  { sessionId, onFlow }: UpdateFlowRequest,
  deps: ChatDependencies,
): Promise<void> {
  const { lease, conversation: stored } = await enterSession(sessionId, deps)
  try {
    const named = { sessionId, origin: undefined, caller: anonymous, onFlow }
    const { conversation } = await openStored(stored, named, deps)
    if (!conversation.isLive) throw sessionNotFound('unknown')
    const { program: before } = currentFrameOf(conversation)
    const published = await findPublished(before.id, deps)
    const program = programIn(localeOf(conversation), published)
    const isRegisteredOnly = stored.session.state === 'registered'
    const moved = migrateConversation(conversation, program)
    // Nothing has run yet, so that there is no progress to go on with.
    const { isProgressTracked } = isRegisteredOnly ? program : moved
    const count = countMove({ session: stored.session, from: conversation, to: moved })
    const { counted } = stored.session
    const facts = { ...stored.session, isRegisteredOnly, counted: count?.state ?? counted }
    const session = serializeConversation({ ...moved, isProgressTracked }, facts)
    const results = count ? resultOfMove(moved, { now: deps.ports.now(), visit: count.visit }, deps) : []
    await commitTurn(lease, { session, results, payloads: 'keep', counted: count?.counted }, deps)
  } finally {
    await deps.conversations.release(lease)
  }
}

/** Results tell how far their conversations have come in the version that these run. */
function resultOfMove(
  conversation: Conversation,
  change: Pick<ResultUpdate, 'now' | 'visit'>,
  deps: ChatDependencies,
): readonly ResultUpdate[] {
  const { program, resultId: id } = conversation.frames[0]
  return id !== undefined && areResultsKept(program, deps) ? [{ ...change, id, flowId: program.id }] : []
}

async function findPublished(
  flowId: string,
  { published }: Pick<ChatDependencies, 'published'>,
): Promise<Program> {
  const found = await published.byFlowId(flowId)
  // Another flow may have this for its public id.
  if (found?.program.id === flowId && !found.isArchived) return found.program
  throw new ServiceError('NOT_FOUND', 'Flow not found')
}

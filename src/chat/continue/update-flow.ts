import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { Program } from '../../engine/model/program.ts'
import { ServiceError } from '../../errors.ts'
import { anonymous } from '../../ports/caller.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { commitTurn, withSession } from '../session/enter-session.ts'
import { type SessionRequest, sessionNotFound } from '../session/open-session.ts'
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
export async function updateFlow(request: UpdateFlowRequest, deps: ChatDependencies): Promise<void> {
  const { sessionId, onFlow } = request
  await withSession(
    { sessionId, origin: undefined, caller: anonymous, onFlow },
    deps,
    async ({ stored: { session }, conversation, lease }) => {
      if (!conversation.isLive) throw sessionNotFound('unknown')
      const program = await findPublished(currentFrameOf(conversation).program.id, deps)
      const isRegisteredOnly = session.state === 'registered'
      const conversationNow = migrateConversation(conversation, program)
      // Nothing has run yet, so that there is no progress to go on with.
      const { isProgressTracked } = isRegisteredOnly ? program : conversationNow
      const moved = serializeConversation(
        { ...conversationNow, isProgressTracked },
        { ...session, isRegisteredOnly },
      )
      await commitTurn(lease, { session: moved, results: [], payloads: 'keep' }, deps)
    },
  )
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

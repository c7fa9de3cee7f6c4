import type { ByteString } from '../../lib/byte-string.ts'
import type { Timer } from '../../sessions/session.ts'
import type { DueSession, Entered } from '../../stores/conversation-store.ts'
import { takeTurn } from '../continue/take-turn.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { restoreConversation } from '../session/restore-conversation.ts'
import { firstTimer } from './timers-after.ts'

/**
 * Takes the turn of the earliest timer of a session, where the session is still as it was when that was found due and nobody is in
 * it: so exactly one turn is kept for it, whoever else tries. Returns what it would have been answered with, had somebody asked;
 * undefined where no turn was kept. Rejects where the turn fails: the timer is then still due.
 */
export async function fireTimer(
  { id, revision }: DueSession,
  deps: ChatDependencies,
): Promise<ByteString | undefined> {
  const entered = await deps.conversations.enter({ id, isIdleOnly: true })
  if (entered.state !== 'entered') return undefined
  const { lease, conversation } = entered
  try {
    const timer = conversation.revision === revision ? firstTimer(conversation.session.timers) : undefined
    return timer && (await takeTimed(timer, entered, deps))
  } finally {
    await deps.conversations.release(lease)
  }
}

async function takeTimed(
  timer: Timer,
  { lease, conversation: stored }: Entered,
  deps: ChatDependencies,
): Promise<ByteString | undefined> {
  const conversation = await restoreConversation(stored.session, deps)
  if (!conversation) {
    // A definition that it is pinned to has gone, so that nothing can follow.
    const session = { ...stored.session, timers: undefined }
    await deps.conversations.commit(lease, { session, results: [], payloads: 'keep' })
    return undefined
  }
  const held = { stored, conversation, lease }
  const { answer, commit } = await takeTurn(undefined, held, { request: { body: {}, timer }, deps })
  const isKept = (await deps.conversations.commit(lease, commit)) !== undefined
  return isKept ? answer : undefined
}

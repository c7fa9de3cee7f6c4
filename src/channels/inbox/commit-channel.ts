import { commitTurn, enterSession } from '../../conversations/session/enter-session.ts'
import type { Session, SessionChannel } from '../../sessions/session.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'
import type { InboxDependencies } from './visit.ts'

/** A session on a messenger, and the revision that a change makes of it. */
interface Changed {
  readonly session: Session
  readonly channel: SessionChannel
  readonly revision: number
}

interface ChannelChange {
  readonly channel: SessionChannel
  readonly outgoing?: readonly OutgoingEvent[]
}

/**
 * Changes what a session knows of its messenger, without a turn; undefined for no change. Throws NOT_FOUND for one that is forgotten, and
 * SERVICE_UNAVAILABLE, with nothing kept, where another process has taken it over.
 */
export async function commitChannel(
  sessionId: string,
  { chat }: InboxDependencies,
  change: (before: Changed) => ChannelChange | undefined,
): Promise<void> {
  const { lease, conversation } = await enterSession(sessionId, chat)
  try {
    const { session, revision } = conversation
    const { channel } = session
    const changed = channel && change({ session, channel, revision: revision + 1 })
    if (!changed) return
    const kept = { ...session, channel: changed.channel }
    const { outgoing } = changed
    await commitTurn(lease, { session: kept, results: [], payloads: 'keep', outgoing }, chat)
  } finally {
    await chat.conversations.release(lease)
  }
}

import type { ConversationStore, StoredConversation } from '../../stores/conversation-store.ts'

/** Client that waits for a change of a session. It keeps nothing of what it is shown, which may be a megabyte. */
export interface Viewer {
  /** Called with the session as it is, and again after each change; undefined when it is gone. */
  see(stored: StoredConversation | undefined): void
  /** Called when the session can't be looked at: nothing is seen any more. */
  fail(error: unknown): void
}

interface SessionWatch {
  readonly viewers: Set<Viewer>
  look(): Promise<void>
  end(): void
}

type Conversations = Pick<ConversationStore, 'subscribe' | 'look'>

export type SessionViews = ReturnType<typeof createSessionViews>

/** Looks at a session once for all who wait for it, and holds nothing of it in between. */
export function createSessionViews() {
  const sessions = new Map<string, SessionWatch>()

  function watch(sessionId: string, conversations: Conversations): SessionWatch {
    const viewers = new Set<Viewer>()
    let isLooking = false
    let isStale = false

    async function look(): Promise<void> {
      isStale = true
      if (isLooking) return
      isLooking = true
      try {
        await subscribed
        while (isStale && viewers.size > 0) {
          isStale = false
          show(await conversations.look(sessionId))
        }
      } catch (error) {
        for (const viewer of viewers) viewer.fail(error)
        leave(sessionId, watched)
      } finally {
        isLooking = false
      }
    }

    function show(stored: StoredConversation | undefined): void {
      for (const viewer of viewers) viewer.see(stored)
    }

    // The first look awaits it, and tells of its failure.
    const subscribed = Promise.resolve(conversations.subscribe(sessionId, look))
    const end = () => {
      void subscribed.then(
        (unsubscribe) => unsubscribe(),
        () => undefined,
      )
    }
    const watched = { viewers, look, end }
    sessions.set(sessionId, watched)
    return watched
  }

  function leave(sessionId: string, watched: SessionWatch): void {
    if (sessions.get(sessionId) !== watched) return
    sessions.delete(sessionId)
    watched.end()
  }

  return {
    /** Shows a session from now on, until what is returned is called. */
    view(sessionId: string, viewer: Viewer, conversations: Conversations): () => void {
      const watched = sessions.get(sessionId) ?? watch(sessionId, conversations)
      watched.viewers.add(viewer)
      void watched.look()
      return () => {
        watched.viewers.delete(viewer)
        if (watched.viewers.size === 0) leave(sessionId, watched)
      }
    },
  }
}

import { ServiceError } from '../../lib/errors.ts'
import { readConversation } from '../codec/conversation-codec.ts'
import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import type { SessionTexts } from '../memory/session-texts.ts'
import type { Session } from '../session.ts'
import type { DataFolder } from './database.ts'

/**
 * Live sessions in memory as the database has them, which one process that owns the folder may trust. Whatever the
 * database returns is put here in the same order, before anything else can happen.
 */
export interface ConversationCache {
  /** The live session of an id, without asking the database; a use of it. */
  findCached(id: string): StoredConversation | undefined
  /** The live session of an id, else the preview. */
  find(id: string): Promise<StoredConversation | undefined>
  put(session: Session, kept: { revision: number; text: string; payload: WebhookPayload | undefined }): void
  putPayload(id: string, revision: number, payload: WebhookPayload): void
  /** Throws PAYLOAD_TOO_LARGE for a session that is larger than all that may be in memory. */
  check(text: string): void
}

export function createConversationCache(
  folder: DataFolder,
  { sessions, maxBytes }: { readonly sessions: SessionTexts; readonly maxBytes: number },
): ConversationCache {
  function findCached(id: string): StoredConversation | undefined {
    const cached = sessions.find(id)
    if (cached?.session.kind !== 'live') return undefined
    folder.touch(id)
    return cached
  }

  function put(session: Session, kept: Parameters<ConversationCache['put']>[1]): void {
    const { revision, text, payload } = kept
    try {
      if (payload) sessions.save(session, revision, payload)
      else sessions.restore(session, text)
    } catch {
      // It is on the disk, and read from there.
      sessions.deleteLive(session.id)
    }
  }

  async function fetch(id: string): Promise<StoredConversation | undefined> {
    const row = await folder.send('find session', { id, readAt: folder.readAt(id) })
    if (!row) return sessions.findPreview(id)
    const { session, revision } = readConversation(row.text)
    put(session, { revision, ...row })
    folder.touch(id)
    return { session, revision, ...(row.payload && { payload: row.payload }) }
  }

  return {
    findCached,
    find: async (id) => findCached(id) ?? fetch(id),
    put,
    putPayload(id, revision, payload) {
      const cached = sessions.find(id)
      if (cached?.session.kind !== 'live' || cached.revision !== revision) return
      put(cached.session, { revision, text: '', payload })
    },
    check(text) {
      // Two bytes a character, and what an entry takes besides.
      const size = 2 * text.length + 300
      if (size <= maxBytes) return
      const message = `What this leaves to keep takes ${size} bytes, more than the ${maxBytes} that there are for all of its kind`
      throw new ServiceError('PAYLOAD_TOO_LARGE', message)
    },
  }
}

import { readConversation, writeConversation } from '../codec/conversation-codec.ts'
import type { StoredConversation, WebhookPayload } from '../conversation-store.ts'
import type { Session } from '../session.ts'
import type { StoreUsage } from '../store-usage.ts'
import { createTieredTextCache, type TieredTextCache } from './tiered-text-cache.ts'

export interface SessionTextsOptions {
  /** How long a session lives after its last use. */
  readonly ttlMs: number
  /** Of live sessions, and of previews again. */
  readonly maxSessions: number
  /** Of live sessions. */
  readonly maxBytes: number
  readonly previewMaxBytes: number
  /** Milliseconds since 1970. */
  now(): number
  /** Called with the id of a session whose time has passed, or that made room for others. */
  forgotten(id: string): void
}

/** Sessions as texts in this process: what is accounted is what is held, and nothing is shared. */
export interface SessionTexts {
  /** The live session of an id, else the preview; a use of it. */
  find(id: string): StoredConversation | undefined
  /** The preview of an id; a use of it. */
  findPreview(id: string): StoredConversation | undefined
  /** Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, for a session that exceeds the bound on its own. */
  save(session: Session, revision: number, payload?: WebhookPayload): void
  /** What a session is just now, to be put back by `restore`. */
  textOf(session: Session): string | undefined
  restore(session: Session, text: string | undefined): void
  deleteLive(id: string): void
  readonly liveUsage: () => StoreUsage
  readonly previewUsage: () => StoreUsage
}

/** Keeps previews in room of their own: however many strangers start, no live session makes room for them. */
export function createSessionTexts(options: SessionTextsOptions): SessionTexts {
  const { ttlMs, maxSessions, maxBytes, previewMaxBytes, now, forgotten } = options
  const common = { maxEntries: maxSessions, expiry: { ttlMs, now }, forgotten }
  const live = createTieredTextCache({ ...common, maxBytes })
  const previews = createTieredTextCache({ ...common, maxBytes: previewMaxBytes })
  const textsOf = ({ kind }: Session): TieredTextCache => (kind === 'live' ? live : previews)
  const read = (text: string | undefined) => (text === undefined ? undefined : readConversation(text))
  return {
    find: (id) => read(live.get(id) ?? previews.get(id)),
    findPreview: (id) => read(previews.get(id)),
    save(session, revision, payload) {
      textsOf(session).set(session.id, writeConversation(session, revision, payload))
    },
    textOf: (session) => textsOf(session).peek(session.id),
    restore(session, text) {
      if (text === undefined) textsOf(session).delete(session.id)
      else textsOf(session).set(session.id, text)
    },
    deleteLive: live.delete,
    liveUsage: live.usage,
    previewUsage: previews.usage,
  }
}

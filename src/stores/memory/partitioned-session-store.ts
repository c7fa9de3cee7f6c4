import type { SessionStore } from '../session-store.ts'

/** Where sessions go. */
export interface SessionSplit {
  readonly live: SessionStore
  readonly previews: SessionStore
  isPreview(key: string): boolean
}

/** Keeps previews in a store of their own: however many strangers start, no live session makes room for them. */
export function splitSessionStore({ live, previews, isPreview }: SessionSplit): SessionStore {
  const storeOf = (key: string) => (isPreview(key) ? previews : live)
  return {
    get: (key) => storeOf(key).get(key),
    save: (key, session) => storeOf(key).save(key, session),
    delete: (key) => storeOf(key).delete(key),
    exclusive: (key, turn) => storeOf(key).exclusive(key, turn),
    async close() {
      await Promise.all([live.close(), previews.close()])
    },
  }
}

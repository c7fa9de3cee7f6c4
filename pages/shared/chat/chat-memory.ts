import type { Settings, Theme } from '../../../client/client.ts'
import { read, readJson, write } from '../browser-storage.ts'
import type { Entry, Letter } from './entry.ts'

/** What is needed to go on after a reload. */
export interface RememberedChat {
  readonly sessionId: string
  readonly version: string | undefined
  readonly entries: readonly Entry[]
  readonly isOver: boolean
  readonly progress: number | undefined
  readonly theme: Theme
  readonly settings: Settings
  readonly unsent?: Letter | undefined
  /** How many messages of timers stand in it since the visitor last did something. */
  readonly heard?: number
}

/** What is marked, and not sent, by the ids of the questions: ids of choices, dates, a rating. */
export type Marked = Readonly<Record<string, readonly string[]>>

/** Keeps a conversation, and who the visitor is, in the storage of the browser. */
export interface ChatMemory {
  recall(): RememberedChat | undefined
  keep(chat: RememberedChat): void
  forget(): void
  /** Words that are typed, and not said. */
  recallDraft(): string
  keepDraft(text: string): void
  recallMarked(): Marked | undefined
  keepMarked(marked: Marked | undefined): void
  /** The result of an earlier visit, where the flow remembers its visitors. */
  recallVisitor(): string | undefined
  keepVisitor(resultId: string, settings: Settings): void
}

/** Texts that are kept of one conversation; of a longer one the end stays. */
const maxEntries = 500

/** The memory of one flow. What a browser refuses to keep is forgotten: the conversation goes on without. */
export function createChatMemory(publicId: string): ChatMemory {
  const chatKey = `flow-runtime/chat/${publicId}`
  const draftKey = `flow-runtime/draft/${publicId}`
  const markedKey = `flow-runtime/marked/${publicId}`
  const visitorKey = `flow-runtime/visitor/${publicId}`
  return {
    recall: () => asChat(readJson(read('sessionStorage', chatKey))),
    keep: (chat) =>
      write('sessionStorage', chatKey, JSON.stringify({ ...chat, entries: chat.entries.slice(-maxEntries) })),
    forget: () => write('sessionStorage', chatKey, undefined),
    recallDraft: () => read('sessionStorage', draftKey) ?? '',
    keepDraft: (text) => write('sessionStorage', draftKey, text || undefined),
    recallMarked: () => readJson(read('sessionStorage', markedKey)) as Marked | undefined,
    keepMarked: (marked) => write('sessionStorage', markedKey, marked && JSON.stringify(marked)),
    recallVisitor: () => read('sessionStorage', visitorKey) ?? read('localStorage', visitorKey),
    keepVisitor(resultId, { general }) {
      const { rememberUser, isNewResultOnRefreshEnabled } = general ?? {}
      if (!(rememberUser?.isEnabled ?? isNewResultOnRefreshEnabled === false)) return
      write(rememberUser?.storage === 'local' ? 'localStorage' : 'sessionStorage', visitorKey, resultId)
    },
  }
}

/** Only this page writes there, but an older version of it may have. */
function asChat(value: unknown): RememberedChat | undefined {
  const chat = value as Partial<RememberedChat> | null | undefined
  return typeof chat?.sessionId === 'string' && Array.isArray(chat.entries)
    ? (chat as RememberedChat)
    : undefined
}

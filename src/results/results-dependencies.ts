import type { ChatDependencies } from '../conversations/dependencies.ts'
import type { NoteErasure } from './erasure-log.ts'

/** Dependencies of reading and erasing results. */
export interface ResultsDependencies
  extends Pick<ChatDependencies, 'published' | 'results' | 'conversations'> {
  readonly noteErasure: NoteErasure
  readonly ports: Pick<ChatDependencies['ports'], 'nextTurn'>
  /** Erases what visitors uploaded into results; absent where nothing is uploaded. */
  readonly eraseFiles?: ((resultIds: readonly string[]) => Promise<void>) | undefined
}

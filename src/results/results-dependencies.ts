import type { ChatDependencies } from '../conversations/dependencies.ts'
import type { CountStore } from '../stores/counts/count-store.ts'
import type { FlowTable } from '../stores/flow-table.ts'
import type { StepLine } from '../stores/in-steps.ts'
import type { NoteErasure } from './erasure-log.ts'

/** Dependencies of reading and erasing results. */
export interface ResultsDependencies
  extends Pick<ChatDependencies, 'published' | 'results' | 'conversations' | 'sessionTtlMs'> {
  readonly counts: Pick<CountStore, 'places'>
  readonly flowTable: Pick<FlowTable, 'note' | 'versions'>
  readonly noteErasure: NoteErasure
  /** The line of all who erase, whoever asks for it: so that one who erases little waits little. */
  readonly erasing: StepLine
  readonly ports: Pick<ChatDependencies['ports'], 'nextTurn' | 'now'>
  /** Erases what visitors uploaded into results; absent where nothing is uploaded. */
  readonly eraseFiles?: ((resultIds: readonly string[]) => Promise<void>) | undefined
}

import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { UserMessage } from '../../../schemas/user-message.ts'

/** A session that waits for something, as a look shows it. */
export interface Waiting {
  readonly sessionId: string
  readonly version: string
  readonly waitingFor: string | undefined
  readonly input: Input | undefined
  readonly clientSideActions: readonly ClientSideAction[] | undefined
  readonly settings: Settings
}

/** Words of the service, which no flow has said, and the question that waits, which is asked again behind them. */
export interface Notice {
  readonly text: string
  readonly waiting?: Waiting | undefined
  /** Whether files that were gathered are no answer. */
  readonly dropsFiles?: true
}

/** A file that is kept, with the words below it. */
export interface KeptFile {
  readonly url: string
  readonly caption: string
}

/** Meaning of a message: a reply, which is for one version of the session where it was read by its question, a part of one, or none. */
export type Reading =
  | { readonly reply: UserMessage | null; readonly version?: string | undefined }
  | { readonly file: KeptFile }
  | { readonly notice: Notice }

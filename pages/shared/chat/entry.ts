import type { ClientSideAction, Message } from '../../../client/client.ts'

/** What stands in a conversation, in the order in which it was said. */
export type Entry =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'said'; readonly text: string; readonly blockId?: string | undefined }
  /** What happened beside the conversation: an event for analytics, a script that failed. */
  | { readonly kind: 'note'; readonly text: string }
  /** A place where the flow leads to, for browsers that let no page open another one by itself. */
  | { readonly kind: 'way'; readonly address: string; readonly label: string }
  /** What the flow asks of a browser, on pages that leave it to a person whether it is done. */
  | { readonly kind: 'action'; readonly action: ClientSideAction; readonly number: number }

import type { ClientSideAction, Input, Message, UserMessage } from '../../../client/client.ts'

/** What stands in a conversation, in the order in which it was said. */
export type Entry =
  | { readonly kind: 'message'; readonly message: Message }
  | SaidEntry
  /** What happened beside the conversation, and concerns the visitor: an answer that broke off. */
  | { readonly kind: 'note'; readonly text: string }
  /** A place where the flow leads to, for browsers that let no page open another one by itself. */
  | { readonly kind: 'way'; readonly address: string }
  /** What the flow asks of a browser, on pages that leave it to a person whether it is done. */
  | { readonly kind: 'action'; readonly action: ClientSideAction; readonly number: number }

/** Content of a message of one type. */
export type ContentOf<Type extends Message['type']> = Extract<Message, { type: Type }>['content']

/** Words of the visitor. */
interface SaidEntry {
  readonly kind: 'said'
  readonly text: string
  readonly blockId?: string | undefined
  /** Whether the service did not take it, or has not yet. */
  readonly isUnsent?: boolean
}

/** A reply that is not answered yet, with the key by which it is taken once, however often it is sent. */
export interface Letter {
  readonly key: string
  readonly message: UserMessage | undefined
  /** What of it was typed, and goes back into the field if it is refused. */
  readonly typed: string
  /** Whether it stands in the conversation. */
  readonly isSaid: boolean
  /** The question. */
  readonly input: Input | undefined
  /** Whether it is for an action, and a person has come meanwhile: it names no version, as words to that person do. */
  readonly isForAction?: boolean
}

/** Something that the visitor has to know, and what can be done about it. */
export interface Notice {
  readonly text: string
  /** What an author has to know beside it. */
  readonly detail?: string
  readonly label?: string
  readonly act?: () => void
}

/**
 * `busy` while something is asked of the service or shown, `waiting` for the visitor, `asleep` while the service waits, and takes
 * words meanwhile, `over` at the end, `failed` until something is repeated or begun anew.
 */
export type ChatPhase = 'busy' | 'waiting' | 'asleep' | 'over' | 'failed'

/** Id of the element that shows an entry. */
export const entryId = (index: number) => `entry-${index}`

import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Message } from '../../../schemas/message.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import type { LogEntry } from './log-entry.ts'

/** A variable to write. The value is normalized on the way (docs/behaviour.md). */
export interface Assignment {
  readonly variableId: string
  readonly value: unknown
  /** Turns the variable into one that is never written to the result. */
  readonly isSessionVariable?: boolean
}

/** Reference of a step to a group of a flow. */
export interface GroupReference {
  readonly by: 'id' | 'title'
  readonly value: string
  /** Reference in the author's words, for logs. */
  readonly source: string
}

/**
 * Direction of the walk after a block. Without one, a bubble falls through, and any other block leaves by its own edge
 * when it has one, else falls through.
 */
export type Continuation =
  /** To the next block of the group; after the last one, along the own edge. */
  | { readonly to: 'fall through' }
  | { readonly to: 'edge'; readonly edgeId: string }
  /** Nowhere: the path ends here. A flow that linked here may still go on. */
  | { readonly to: 'end' }
  /** A jump, which a Return block may undo. */
  | { readonly to: 'jump'; readonly group: GroupReference; readonly blockId?: string | undefined }
  | { readonly to: 'return' }
  /** Into another flow, or another part of this one, after which the walk goes on where the link leads. */
  | {
      readonly to: 'link'
      /** `current` for the flow that is being walked. */
      readonly flowId: string
      /** Undefined for where the flow starts. */
      readonly group: GroupReference | undefined
      /** Whether values and answers come back; they always do within one flow. */
      readonly mergesResults: boolean
    }
  /** The turn ends and the session waits at this block. */
  | { readonly to: 'wait' }
  /** The same until a time, in milliseconds since 1970, unless a reply that is not to be kept ends it. */
  | { readonly to: 'sleep'; readonly until: number; readonly keepsReplies: boolean }
  /** The session waits at this block until a person gives the conversation back. */
  | { readonly to: 'hand over'; readonly pause: Pause }

/** A wait of the service, until a time. */
export interface Sleep {
  /** Milliseconds since 1970. */
  readonly until: number
  /** Said meanwhile, for the inputs behind it; absent where a reply ends the wait. */
  readonly replies?: readonly Reply[] | undefined
}

/** A person leads the conversation, and its flow is silent (docs/behaviour/handoff.md). */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly since: number
  /** For operators, and not for the visitor. */
  readonly reason?: string | undefined
  /** The person or the team. */
  readonly who?: string | undefined
  /** Milliseconds since 1970: it ends by itself then. */
  readonly until?: number | undefined
  /** Set where the block that waits has handed it over: the walk goes on behind it, and asks nothing again. */
  readonly isByFlow?: true | undefined
  /** Set until a person has come: `until` is the deadline for that. */
  readonly isAwaited?: true | undefined
  /** Format of what people write. Absent counts as false. */
  readonly isMarkdown?: true | undefined
  /** The wait of the service that it came into, which goes on behind it. */
  readonly sleep?: Sleep | undefined
  /** Set while a client that may know nothing of it has yet to send back what the block that waits asked of it. */
  readonly awaitsClient?: true | undefined
  /** Set once that came: the walk goes on behind the block. */
  readonly outcome?: ClientOutcome | undefined
}

/** Result of one block, as plain data. */
export interface Step {
  readonly message?: JsonFragment<Message>
  readonly input?: JsonFragment<Input>
  /** Payment that the input waits for; it is there again when the block runs once more, until a reply is accepted. */
  readonly payment?: PendingPayment
  readonly actions?: readonly ClientSideAction[]
  readonly logs?: readonly LogEntry[]
  /** Written in order, before anything else of the flow runs. */
  readonly assignments?: readonly Assignment[]
  readonly next?: Continuation
  /** The item of the block that decided the way. */
  readonly item?: TakenItem | undefined
}

/** An item that a block has left by. */
export interface TakenItem {
  readonly item: string
  /** Whether chance alone has decided. */
  readonly isDrawn?: true
}

export interface TextReply {
  readonly type: 'text'
  readonly text: string
  readonly attachedFileUrls?: readonly string[]
  readonly replyId?: string
}

/** A visitor's reply to a waiting input. */
export type Reply = TextReply | { readonly type: 'audio'; readonly url: string }

/** A word that sets off a command event, at any time. */
interface Command {
  readonly type: 'command'
  readonly command: string
}

/** Content of a request. */
export type UserInput = Reply | Command

/** Verdict of an input on a reply. */
export type ReplyResult =
  | {
      readonly outcome: 'accepted'
      /** The answer, brought into its normal form. */
      readonly content: string
      /** Variables to write beside the one that the input is bound to, and before it. */
      readonly assignments?: readonly Assignment[]
      /** The edge of the chosen item, when it has one. */
      readonly edgeId?: string
      /** The ids of the chosen items. */
      readonly items?: readonly string[]
    }
  /** The visitor may go on without an answer. */
  | { readonly outcome: 'skipped' }
  | {
      readonly outcome: 'refused'
      /** Which rule it broke, for the author: a clause without a subject. */
      readonly rule: string
    }

/** Verdict of a waiting block that is no input on the client's message to it. */
export type ClientReplyResult =
  | {
      readonly assignments?: readonly Assignment[]
      readonly logs?: readonly LogEntry[]
      /** The variable whose value the client has shown: a bubble right after that begins with it is not shown again. */
      readonly shownVariableId?: string
      readonly malformed?: undefined
    }
  /** The client broke the agreement: the request is refused with this sentence, and the session keeps waiting. */
  | { readonly malformed: string }

/** Outcome of an action, as its block took it in a pause. */
export interface ClientOutcome {
  /** As in `ClientReplyResult`. */
  readonly shownVariableId?: string | undefined
}

/** Text of a reply, unprocessed. */
export function replyContent(reply: Reply): string {
  return reply.type === 'text' ? reply.text : reply.url
}

/** A payment that an input waits for, as its provider knows it. It outlives the turn, and is asked for once a visit. */
export interface PendingPayment {
  /** The input that asks for it. */
  readonly blockId: string
  /** The provider's name for it. */
  readonly intentId: string
  /** Opens the payment in the form of the provider. */
  readonly clientSecret: string
  readonly publicKey: string
  /** Amount in the smallest unit of the currency. */
  readonly amount: number
  /** ISO 4217 code in small letters. */
  readonly currency: string
  /** Answer once the payment is made. */
  readonly success: string
  /** The result that the answer belongs to; live sessions only. */
  readonly resultId?: string | undefined
  /** Whether the provider has said by itself that it is made: the answer is in the result then. */
  readonly isPaid?: true
}

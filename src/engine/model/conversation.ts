import type { Variables } from '../values/variables.ts'
import type { Contact, ContactMemory, ConversationChannel } from './contact.ts'
import type { CompiledBlock, Program } from './program.ts'
import type { Pause, PendingPayment, Reply, Sleep, TextReply } from './step.ts'

/** One flow being walked: the one that was started, or one that a link led into. */
export interface Frame {
  readonly program: Program
  /** Shared with the caller's frame when a flow links to itself. */
  readonly variables: Variables
  readonly answers: Map<string, string>
  readonly resultId: string | undefined
  /** Block at which the *caller's* frame goes on when this one ends. */
  readonly resumeAt: CompiledBlock | undefined
  /** Whether values and answers go back into the caller's frame. */
  readonly mergesResults: boolean
  /** Entered by a command that comes back by itself, and not by a link. */
  readonly isSubroutine?: boolean
}

/** There is at least one. */
export type Frames = [Frame, ...Frame[]]

/** Target of a Return block: a block, in the frame at this index of the stack. */
export interface ReturnPoint {
  readonly frameDepth: number
  readonly block: CompiledBlock
  /** Said to the input, and kept until an event that it set off returns. */
  readonly reply?: Reply
}

/** State of a conversation from turn to turn, with its programs at hand. A turn changes it in place. */
export interface Conversation {
  /** A stack, bottom first: the first is the flow that was started, the last the flow being walked. */
  readonly frames: Frames
  readonly returnStack: ReturnPoint[]
  readonly isLive: boolean
  /** Whether mocks answer in place of the world. */
  readonly isMocked?: boolean
  readonly contact?: Contact | undefined
  /** Undefined on a page. */
  readonly channel?: ConversationChannel | undefined
  /** Present where the contact is remembered. */
  readonly memory?: ContactMemory | undefined
  /** The language that was chosen for it, as a tag: of its flow, where that has several; undefined for the flow's own. */
  readonly locale?: string | undefined
  readonly isStreamEnabled: boolean
  readonly isProgressTracked: boolean
  /** Accepted replies since the start, for the progress. */
  acceptedReplies: number
  /** Mails sent since the start. */
  mails: number
  /** Messages of both sides; undefined when no block of the flow asks for them. */
  readonly transcript: string[] | undefined
  /** Payment that an input waits for. */
  payment?: PendingPayment | undefined
  waitingBlock: CompiledBlock | undefined
  /** Present while `waitingBlock` waits for a time. */
  sleep?: Sleep | undefined
  /** Said to `waitingBlock` in the window of replies that is open, to be answered as one. */
  gathered?: readonly TextReply[] | undefined
  /** Present while a person leads it. */
  pause?: Pause | undefined
  /** It has ended where it waited: by its idle life, or by an operator. */
  hasEnded?: boolean
}

/** The language of what is said now, as far as the flow or the client has named one. */
export function localeOf(conversation: Conversation): string | undefined {
  return currentFrameOf(conversation).program.locale ?? conversation.locale
}

/** The flow being walked. */
export function currentFrameOf(conversation: Conversation): Frame {
  return conversation.frames.at(-1) as Frame
}

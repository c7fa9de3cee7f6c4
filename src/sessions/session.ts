import type { ClientSideAction } from '../../schemas/action.ts'
import type { Message } from '../../schemas/message.ts'
import type { Mocks } from '../../schemas/mocks.ts'
import type { TurnTrace } from '../../schemas/trace.ts'
import type { ConversationChannel } from '../engine/model/contact.ts'
import type { BlockName } from '../engine/model/program.ts'
import type { Pause, PendingPayment, Reply } from '../engine/model/step.ts'
import type { Value } from '../engine/values/value.ts'
import type { RecordedSession } from './recorded-session.ts'
import type { SessionContact } from './session-contact.ts'

/**
 * One conversation as it is kept from turn to turn: plain JSON, and never a flow. Programs are named by the hash
 * of their definition and places by block id, so that a session outlives whatever compiled them.
 */
export interface Session {
  /** A secret: it gives access to the conversation. */
  readonly id: string
  /** Live: started by public id, owns a result. Preview: started from a definition, owns none. */
  readonly kind: 'live' | 'preview'
  /** Registered: nothing has run yet. Waiting: for the reply to `waitingBlock`. Ended: nothing can follow. */
  readonly state: 'registered' | 'waiting' | 'ended'
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The stack of flows, from the one being walked down to the one that was started. Empty once it ended. */
  readonly queue: readonly QueueEntry[]
  /** Present while waiting. */
  readonly waitingBlock?: BlockName | undefined
  /** The language that was chosen for it, where its flow has several or the client named one. */
  readonly locale?: string | undefined
  /** Absent counts as false. */
  readonly isStreamEnabled?: boolean | undefined
  /** Accepted replies since the start, for the progress. */
  readonly answered: number
  /** Mails sent since the start. Absent counts as none. */
  readonly mails?: number | undefined
  /** Absent counts as false. */
  readonly isProgressTracked?: boolean | undefined
  /** Where Return blocks lead back to, the latest last: a block, in the flow at this height (0 = the last entry). */
  readonly returnMarks?: readonly StoredReturnMark[] | undefined
  /** All that was shown and said; absent when no block of the flow asks for it. */
  readonly transcript?: readonly string[] | undefined
  /** The payment that an input waits for. */
  readonly payment?: PendingPayment | undefined
  /** The id that the flow was published under; live sessions only. */
  readonly publicId?: string | undefined
  /** The result of a live session that ended, for what its client has still to report. */
  readonly result?: { readonly flowId: string; readonly id: string } | undefined
  /** A preview started with the token of the operator, which may follow links. Absent counts as false. */
  readonly isTrusted?: boolean | undefined
  /** Whether only callers with a token may go on: its id was chosen by a client. Absent counts as false. */
  readonly needsToken?: boolean | undefined
  /** The steps of its turns; only of previews that asked for it, and of those also when they have ended. */
  readonly trace?: SessionTrace | undefined
  /** The world that it is in; only of previews that were started with another than the real one. */
  readonly mocks?: SessionMocks | undefined
  /** All that it takes to run its turns again, where that is wanted; also when it has ended. */
  readonly recording?: RecordedSession | undefined
  /** Of a start that named one. */
  readonly contact?: SessionContact | undefined
  /** Turns that it takes by itself; none of them twice. */
  readonly timers?: readonly Timer[] | undefined
  /** Turns that its visitor may not have seen, and what marks those before them as seen, oldest first. */
  readonly said?: readonly Said[] | undefined
  /** Present while a person leads the conversation. */
  readonly pause?: Pause | undefined
  /** Where it is held, if on a messenger; also when it has ended. */
  readonly channel?: SessionChannel | undefined
  /** How far it is counted; absent where it is not. */
  readonly counted?: CountedSession | undefined
}

/** The messenger that a session is held on (docs/channels.md). */
export interface SessionChannel extends ConversationChannel {
  /** Of the channel, as the operator has named it. */
  readonly name: string
  /** Names the person there. */
  readonly to: string
  /** Id of the last message that a turn has taken: delivered again, it is none. */
  readonly heard?: string | undefined
  /** The button by which that was said, and when, in milliseconds since 1970. */
  readonly pressed?: { readonly id: string; readonly at: number } | undefined
  readonly asked?: AskedQuestion | undefined
  /** Whether it waits for what only its page can send back: words are no answer. */
  readonly awaitsPage?: true | undefined
  /** Whether the person was told that a machine answers. */
  readonly isDisclosed?: true
  readonly files?: GatheredFiles | undefined
}

/** Files that came one by one, and are one answer. */
export interface GatheredFiles {
  /** The question that they answer (`AskedQuestion.hash`). */
  readonly asked: string | undefined
  /** Addresses of uploads. */
  readonly urls: readonly string[]
  /** The words below them. */
  readonly text: string
}

/** The question that was sent last: presses of its buttons count for as long as it is asked. */
export interface AskedQuestion {
  /** The turn that first asked it, which its buttons carry. */
  readonly turn: number
  /** Of the input, and of how many were answered before it. */
  readonly hash: string
  /** Whether its options are numbers to reply with. */
  readonly isNumbered: boolean
  /** Texts that it stands in, as they were sent before it. */
  readonly texts?: readonly Message[] | undefined
}

/**
 * State of a session for counting its next turn: since when it waits where it waits, in milliseconds since 1970 (0: it does not),
 * the places that it has come through, as bits in base64url, and its cohort, by names and values.
 */
export type CountedSession = readonly [
  askedAt: number,
  path: string,
  cohort?: readonly (readonly [name: string, value: string])[],
]

/** A turn that a session takes by itself, without a request (docs/behaviour/timers.md). */
export interface Timer {
  /**
   * Idle: the event of a question that stays unanswered. Wait: the block that sleeps. Reply: what was said in the window of
   * replies, as one. Expire: the end of its idle life. Pause: the end of that.
   */
  readonly type: 'idle' | 'wait' | 'reply' | 'expire' | 'pause'
  /** Milliseconds since 1970; absent for an event that has fired as often as it may. */
  readonly due?: number | undefined
  /** Of an event. Absent from what counts turns of no event, which is of the type `idle` and never due. */
  readonly eventId?: string | undefined
  /** How often the event has fired since the visitor did something, or such turns were taken. Absent counts as never. */
  readonly fired?: number | undefined
  /** Said during a wait, and kept for the inputs behind it: absent where a reply ends the wait. Of a window, what is joined. */
  readonly replies?: readonly Reply[] | undefined
  /** Whether its turn writes texts as markdown, as the turn that set it did. Absent counts as false. */
  readonly isMarkdown?: true | undefined
}

/** Messages that no request was answered with; none where the visitor did something, and has seen those before. */
export interface Said {
  /** Of the session, after the turn. */
  readonly revision: number
  readonly messages: readonly Message[]
  /** Those that nobody answers; what is waited for is part of each look. */
  readonly actions?: readonly ClientSideAction[] | undefined
  /** Said to the person who leads the conversation. */
  readonly reply?: Reply | undefined
}

/** Rules that answer in place of the world, and what has been used of them. */
export interface SessionMocks {
  readonly rules: Mocks
  /** How often each rule has answered, by its kind and index. */
  readonly used?: readonly (readonly [rule: string, times: number])[]
  /** Numbers that were drawn, and ids that were made. */
  readonly drawn?: number
  readonly ids?: number
  /** Milliseconds by which a clock that stands was moved. */
  readonly advancedMs?: number
}

export interface SessionTrace {
  /** Turns since the start. */
  readonly turns: number
  /** The last of them, oldest first. */
  readonly kept: readonly TurnTrace[]
}

export interface StoredReturnMark extends BlockName {
  readonly height: number
  /** Said to the input, and kept until an event that it set off returns. */
  readonly reply?: Reply | undefined
}

/** One flow of a conversation, with what has changed in it. */
export interface QueueEntry {
  /** Hash of the definition: an entry stays on the version that it started with. */
  readonly program: string
  readonly flowId: string
  /** Values that differ from the declared ones. */
  readonly variables: readonly (readonly [id: string, value: Value])[]
  /** Values that a linked flow left behind under names which this flow does not declare. */
  readonly inherited?: readonly (readonly [name: string, value: Value])[] | undefined
  /** Ids of variables that became session variables on the way. */
  readonly sessionOnly?: readonly string[] | undefined
  /** Variables and answers are those of the caller, which is the next entry, and are kept there: the flow linked to itself. */
  readonly sharesVariables?: true | undefined
  /** The result that the flow writes to; live sessions only. */
  readonly resultId?: string | undefined
  readonly answers: readonly (readonly [key: string, value: string])[]
  /** Where the *caller* goes on when this one ends; absent when nothing follows the link. */
  readonly resumeAt?: BlockName | undefined
  /** Values and answers go back into the caller's entry when it ends. */
  readonly mergesResults?: true | undefined
  /** Entered by a command that comes back by itself, and not by a link. */
  readonly isAside?: true | undefined
}

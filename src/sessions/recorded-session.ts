import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartPreviewChatBody } from '../../schemas/start-chat.ts'
import type { ConversationChannel } from '../engine/model/contact.ts'
import type { Effect } from '../engine/model/effects.ts'
import type { Limits } from '../engine/model/limits.ts'
import type { MaskedValue } from '../engine/values/sensitive-values.ts'
import type { Value } from '../engine/values/value.ts'
import type { OperatorAct } from '../engine/walk/take-over.ts'
import type { SessionContact } from './session-contact.ts'

/** A session as it was written down, so that it can be run again: plain JSON. */
export interface RecordedSession {
  readonly start: RecordedStart
  /** All turns since the start, oldest first. */
  readonly turns: readonly RecordedTurn[]
  /** Whether later turns are left out, as there was no room for them. */
  readonly isCut?: true | undefined
  /** Whether a block of the flow failed in one of the turns. */
  readonly hasErrors?: true | undefined
  /** Whether it is only wanted if a block fails. */
  readonly isForErrors?: true | undefined
  /** The values of the marks in it; without a text where that is kept nowhere. */
  readonly masked?: readonly RecordedMark[] | undefined
}

export interface RecordedMark extends Omit<MaskedValue, 'text'> {
  readonly text?: string | undefined
}

/** How a conversation was begun, besides its first request. */
export interface RecordedStart {
  /** The hash of its definition. */
  readonly program: string
  readonly flowId: string
  readonly isProgressTracked: boolean
  /** Live sessions only. */
  readonly resultId?: string | undefined
  /** Live sessions only. */
  readonly publishedAt?: string | undefined
  /** Left behind by an earlier visit. */
  readonly visitor?: RecordedVisitor | undefined
  readonly contact?: SessionContact | undefined
  readonly channel?: ConversationChannel | undefined
  readonly limits: Limits & { readonly replyLength: number }
  readonly publicUrl?: string | undefined
  readonly areResultsRead: boolean
}

interface RecordedVisitor {
  readonly variables: readonly { readonly name: string; readonly value: Value }[]
  readonly answers: readonly (readonly [label: string, answer: string])[]
}

/** One turn, with all that it takes to run it again. */
export interface RecordedTurn {
  readonly entry: 'start' | 'continue' | 'timer' | 'operator'
  /** The parts of the request that the turn read. */
  readonly request: RecordedRequest
  /** The payload for the webhook listener where the session waited: JSON. */
  readonly payload?: string | undefined
  /** The session that the turn found, where something other than a turn had changed it. */
  readonly found?: { readonly queue: readonly NamedProgram[] } | undefined
  readonly effects: readonly RecordedEffect[]
  /** The ids of the blocks that ran, in order. */
  readonly blocks: readonly string[]
  /** The response, without the ids of a start and without a trace. */
  readonly response: string
  /** Names the state that the turn left. */
  readonly left: string
}

type RecordedRequest = Loosened<
  Pick<
    StartPreviewChatBody,
    | 'message'
    | 'textBubbleContentFormat'
    | 'isStreamEnabled'
    | 'isOnlyRegistering'
    | 'prefilledVariables'
    | 'startFrom'
    | 'locale'
  > &
    Pick<ContinueChatBody, 'setVariables'> & {
      /** In the place of a visitor. */
      readonly timer?: RecordedTimer | undefined
      readonly act?: OperatorAct | undefined
      readonly isOutcome?: true | undefined
    }
>

interface RecordedTimer {
  readonly type: 'idle' | 'wait' | 'reply' | 'expire' | 'pause'
  readonly eventId?: string | undefined
  readonly isMarkdown?: true | undefined
}

type Loosened<Fields> = { readonly [Key in keyof Fields]: Fields[Key] | undefined }

/** How a session names a program. */
export interface NamedProgram {
  readonly program: string
  readonly flowId: string
}

/** A question of a turn to the world, and its answer. */
export interface RecordedEffect {
  readonly type: Effect['type']
  /** Names what was asked. */
  readonly key: string
  /** Exact JSON; of a link, the name of the program that it led to. */
  readonly answer: unknown
  /** How many blocks had been entered by then. */
  readonly blocks: number
}

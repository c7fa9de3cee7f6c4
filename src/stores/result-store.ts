import type { Log } from '../../schemas/log.ts'
import type { Retention } from '../engine/model/program.ts'
import type { MaskedValue, Sensitivity } from '../engine/values/sensitive-values.ts'
import type { Value } from '../engine/values/value.ts'
import type { StoreUsage } from './store-usage.ts'

/** The record of one visitor's run of a flow: plain JSON. It exists from the live start on, before any answer. */
export interface Result {
  /** A secret: it gives access to the result where the flow remembers its visitors. */
  readonly id: string
  /** The id of the flow, not its public id. */
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970; moves with every save. */
  readonly updatedAt: number
  /** Variables that hold something, without session variables. */
  readonly variables: readonly ResultVariable[]
  /** In the order they were given, the latest 1,000. A block that was answered twice is there twice. */
  readonly answers: readonly ResultAnswer[]
  /** All that was shown and said, in order: the latest 1,000 lines. */
  readonly transcript: readonly TranscriptLine[]
  /** Reports of the flow and of the client, in order: the latest 1,000, long details cut. */
  readonly logs: readonly ResultLog[]
  /** Whether anything was answered. */
  readonly hasStarted: boolean
  /** Whether a run came to its end with an answer; never taken back. */
  readonly isCompleted: boolean
  /** The session of the last save. */
  readonly lastChatSessionId: string
  /** The language that its conversation was held in last, where the flow has several or the client named one. */
  readonly locale?: string | undefined
  /** How far its latest conversation has come; absent where that is not counted. */
  readonly visit?: ResultVisit | undefined
  /** How long its flow wants it kept; absent for as long as the operator keeps results. */
  readonly retention?: Retention | undefined
  /** The values of the marks in its texts, as long as they are known: of marked variables. */
  readonly masked?: readonly MaskedValue[] | undefined
}

/** How far a conversation has come, as counts have it: adding visits up gives the counts of paths. */
export interface ResultVisit {
  /** The hash of the version of the flow that was started. */
  readonly version: string
  /** The places that it has come through, as bits in base64url (`Path`). */
  readonly path: string
  /** Names and values that it is compared by, as `readCohort` reads it; empty for none. */
  readonly cohort: string
  /** The block where it waits or has ended, behind the id of its flow where that is a linked one. */
  readonly place: string
  /** Milliseconds since 1970: since when it waits there; 0 where it has ended. */
  readonly askedAt: number
}

/** A log that a flow or a client left, and where. */
export interface PlacedLog extends Log {
  /** The id in the definition of the flow that left it, which may be a linked one; absent for logs of a client. */
  readonly flowId?: string
  /** Absent where no block left it. */
  readonly groupId?: string
  readonly blockId?: string
}

export interface ResultLog extends PlacedLog {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly requestId?: string
}

export interface ResultVariable {
  readonly id: string
  /** A later run finds it by this: ids may change when a flow is rebuilt. */
  readonly name: string
  readonly value: Value
  readonly sensitivity?: Sensitivity | undefined
}

export interface ResultAnswer {
  readonly blockId: string
  readonly content: string
  readonly attachedFileUrls?: readonly string[]
}

export interface TranscriptLine {
  readonly role: 'assistant' | 'user' | 'person'
  readonly text: string
  /** Of a person. */
  readonly name?: string
  /** Of a message that is marked so. */
  readonly generatedBy?: 'model'
}

/**
 * The changes of one turn to a result. What is absent stays as it is; a result that is not there is made, unless it was
 * erased.
 */
export interface ResultUpdate {
  readonly id: string
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Take the place of those there were. */
  readonly variables?: readonly ResultVariable[]
  /** Come after those there are. */
  readonly answers?: readonly ResultAnswer[]
  readonly transcript?: readonly TranscriptLine[]
  readonly logs?: readonly PlacedLog[]
  /** The request that left the logs. */
  readonly requestId?: string | undefined
  readonly hasStarted?: boolean
  /** Only ever sets the mark. */
  readonly isCompleted?: boolean
  readonly lastChatSessionId?: string
  readonly locale?: string | undefined
  readonly visit?: ResultVisit | undefined
  readonly retention?: Retention | undefined
  /** The values of the marks in this change. */
  readonly masked?: readonly MaskedValue[] | undefined
}

/** Conversations in some versions of a flow that came through all of some places, by their bits, and through none of others. */
export interface PathFilter {
  readonly versions: readonly string[]
  readonly through: readonly number[]
  readonly without: readonly number[]
}

/** Which results are asked for. */
export interface ResultFilter {
  /** Milliseconds since 1970: created then or later. */
  readonly from?: number | undefined
  /** Milliseconds since 1970: created before. */
  readonly until?: number | undefined
  /** An answer to any input, whatever its capitals and the blanks around it. */
  readonly answer?: string | undefined
  /** The only block whose answers count for `answer`, which may also be one of several choices there. */
  readonly answeredAt?: string | undefined
  /** A part of an answer or of the value of a variable, whatever its capitals. */
  readonly text?: string | undefined
  /** Of one of these; none finds nothing. */
  readonly paths?: readonly PathFilter[] | undefined
  /** Parts of the cohort, as JSON of a name and a value: of all of them. */
  readonly cohort?: readonly string[] | undefined
  /** As in `ResultVisit`. */
  readonly place?: string | undefined
  /** Whether it waits at its place, and came there no earlier than then, in milliseconds since 1970. */
  readonly waiting?: { readonly is: boolean; readonly since: number } | undefined
  /** Whether a part of a text is not looked for in what marked variables hold; a whole answer always is. */
  readonly hidesMasked?: boolean | undefined
}

/** Whether a filter asks for what only the texts of a result tell: each has to be read. */
export const asksForText = ({ answer, text }: ResultFilter): boolean =>
  answer !== undefined || text !== undefined

export interface ResultPageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
  /** Absent for all. */
  readonly filter?: ResultFilter | undefined
  /** Which of them come first; the latest created unless given. A cursor counts for the order of its page. */
  readonly order?: 'latest' | 'earliest' | undefined
}

/**
 * A page of results. It may hold fewer than were asked for when they are large. With a filter it may hold none, and still
 * name a next one: each request goes through a bounded number.
 */
export interface ResultPage {
  readonly results: readonly Result[]
  /** Where the next page begins; absent on the last. */
  readonly nextCursor?: string
}

/** A result without what it holds: by which it is erased. */
export interface ResultName {
  readonly id: string
  /** The session of the last save. */
  readonly lastChatSessionId: string
}

export interface ResultNamesRequest extends Omit<ResultPageRequest, 'limit' | 'order'> {}

/** A page as `ResultPage` is one. */
export interface ResultNamePage {
  readonly names: readonly ResultName[]
  readonly nextCursor?: string
}

/** How many of the results that one request goes through a filter asks for; those behind them are counted from the cursor on. */
export interface ResultCountPage {
  readonly count: number
  readonly nextCursor?: string
}

/**
 * Reads and erases the results that `ConversationStore` writes, as of its last commit. What is handed out is never
 * shared with what is kept. A store may be bounded, and then forgets the least recently used.
 * `test/stores/contracts/result-store.ts` is the definition in full.
 */
export interface ResultStore {
  /** Undefined for one of another flow, and for one that is gone. */
  get(flowId: string, resultId: string): Promise<Result | undefined>
  /** Whether any flow has a result of this id: costs a look-up for each flow that has results. */
  exists(resultId: string): Promise<boolean>
  /** Throws BAD_REQUEST for a cursor that no page gave. */
  list(flowId: string, page: ResultPageRequest): Promise<ResultPage>
  /**
   * As many as may be erased at once without holding turns up for long. What they hold is read only where an answer is
   * asked for. Throws as `list` does.
   */
  listNames(flowId: string, page: ResultNamesRequest): Promise<ResultNamePage>
  /** Reads what they hold only where a text is asked for. Throws as `list` does. */
  count(flowId: string, page: ResultNamesRequest): Promise<ResultCountPage>
  /**
   * Erases results for good, as one unit: no change makes them again, as long as the store remembers their erasure, which
   * it does for the latest ones. Those that were there, as of their last change.
   */
  delete(flowId: string, resultIds: readonly string[]): Promise<readonly ResultName[]>
  /** Results of which something has outlived its time, by this moment in milliseconds since 1970; the earliest first. */
  outlived(now: number, limit: number): Promise<readonly OutlivedResult[]>
  /** Drops the values that have outlived their time from a result, and finds when the next thing of it will have. */
  forget(flowId: string, resultId: string, now: number): Promise<void>
  /**
   * Keeps new results of a flow as one unit, in this order; how many. One whose id is there, or was erased, is left as it is.
   * Where results have an age limit, theirs counts from now on.
   * Throws PAYLOAD_TOO_LARGE, with nothing kept, for one that could never be.
   */
  add(flowId: string, results: readonly ResultUpdate[]): Promise<number>
  usage(): Promise<StoreUsage>
}

export interface OutlivedResult {
  readonly flowId: string
  readonly id: string
}

import type { Value } from '../engine/value.ts'

/** The record of one visitor's run of a flow: plain JSON. It exists from the live start on, before any answer. */
export interface Result {
  /** A secret: whoever knows it may go on with the result where the flow remembers its visitors. */
  readonly id: string
  /** The id of the flow, not its public id. */
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970; moves with every save. */
  readonly updatedAt: number
  /** Variables that hold something, without session variables. */
  readonly variables: readonly ResultVariable[]
  /** In the order they were given. A block that was answered twice is there twice. */
  readonly answers: readonly ResultAnswer[]
  /** Whether anything was answered. */
  readonly hasStarted: boolean
  /** Whether a run came to its end with an answer; never taken back. */
  readonly isCompleted: boolean
  /** Whether the record was taken away by the owner of the flow. */
  readonly isArchived: boolean
  /** The session of the last save. */
  readonly lastChatSessionId: string
}

export interface ResultVariable {
  readonly id: string
  /** What a later run finds it by: ids may change when a flow is rebuilt. */
  readonly name: string
  readonly value: Value
}

export interface ResultAnswer {
  readonly blockId: string
  readonly content: string
  readonly attachedFileUrls?: readonly string[]
}

/**
 * Keeps results. What is handed in and out is never shared with what is kept. A store may be bounded, and then
 * forgets the least recently used.
 */
export interface ResultStore {
  /** A result to go on with: undefined for one of another flow, and for one that is archived. */
  get(flowId: string, resultId: string): Promise<Result | undefined>
  /**
   * Keeps a result in place of the one of the same id.
   * Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, when the store could never hold it.
   */
  save(result: Result): Promise<void>
}

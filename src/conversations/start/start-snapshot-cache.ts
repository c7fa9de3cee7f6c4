import { type CountOfTurn, countedAt } from '../../analytics/count-turn.ts'
import type { Conversation, Frames } from '../../engine/model/conversation.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import type { RecordedSession } from '../../sessions/recorded-session.ts'
import type { SessionMocks, SessionTrace, Timer } from '../../sessions/session.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'

/** A start, once its first turn is over: all that it leaves behind, and what it is answered with. */
export interface Start {
  readonly sessionId: string
  /** Live sessions only. */
  readonly resultId: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** As it is after the first turn. */
  readonly conversation: Conversation
  readonly isOnlyRegistering: boolean
  /** The results that it writes, as far as they are kept. */
  readonly results: readonly ResultUpdate[]
  /** Undefined where it is not counted. */
  readonly count: CountOfTurn | undefined
  /** The response behind its ids. */
  readonly rest: ByteString
  /** Blocks that the turn executed. */
  readonly blocks: number
  /** Those of the turn; the operator hears of failing blocks with each start. */
  readonly logs: readonly LogEntry[]
  /** Of a preview that asked for it. */
  readonly trace?: SessionTrace | undefined
  /** Of a preview that is not in the real world. */
  readonly mocks?: SessionMocks | undefined
  /** Where it is wanted. */
  readonly recording?: RecordedSession | undefined
  /** Due after `createdAt`. */
  readonly timers?: readonly Timer[] | undefined
}

/** Characters of a start up to which it is kept: beyond, the walk is not what takes the time. */
const maxSnapshotLength = 64 * 1024

export type StartSnapshotCache = ReturnType<typeof createStartSnapshotCache>

/**
 * Keeps starts that are equal for every visitor without data of their own: most visitors of a site start like that, and
 * are served without walking the flow again. They go when their publication goes.
 */
export function createStartSnapshotCache() {
  const kept = new WeakMap<PublishedFlow, Map<string, Start>>()
  return {
    /** Undefined when it has to be walked. */
    find(published: PublishedFlow, variant: string): Start | undefined {
      return kept.get(published)?.get(variant)
    },
    /** To be called only with a first turn that is equal for every visitor who asks for the variant. */
    keep(published: PublishedFlow, variant: string, start: Start): void {
      if (snapshotLength(start) > maxSnapshotLength) return
      const variants = kept.get(published) ?? new Map<string, Start>()
      kept.set(published, variants.set(variant, start))
    },
  }
}

function snapshotLength({ conversation: { frames, transcript = [] }, results, rest, logs }: Start): number {
  const said = transcript.reduce((length, line) => length + line.length, 0)
  const held = frames.reduce((length, { variables }) => length + variables.length, 0)
  return rest.length + JSON.stringify([results, logs]).length + said + held
}

/** Visitor whose start is made from one that is kept. */
type NewVisitor = Pick<Start, 'sessionId' | 'createdAt'> & {
  readonly resultId: string
  readonly requestId: string | undefined
}

/** The start of one more visitor, who begins as another did: all that it writes goes to one result of its own. */
export function startFromSnapshot(
  kept: Start,
  { sessionId, resultId, createdAt, requestId }: NewVisitor,
): Start {
  const { conversation, results, timers } = kept
  const later = createdAt - kept.createdAt
  const count = kept.count && countedAt(kept.count, createdAt)
  return {
    ...kept,
    sessionId,
    resultId,
    createdAt,
    timers: timers?.map((timer) => ({ ...timer, due: timer.due && timer.due + later })),
    conversation: {
      ...conversation,
      frames: conversation.frames.map((frame) => ({ ...frame, resultId })) as Frames,
    },
    count,
    results: results.map((result) => ({
      ...result,
      id: resultId,
      now: createdAt,
      requestId,
      lastChatSessionId: sessionId,
      visit: result.visit && count?.visit,
    })),
  }
}

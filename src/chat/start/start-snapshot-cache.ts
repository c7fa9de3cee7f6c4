import type { StartChatBody } from '../../../schemas/start-chat.ts'
import type { ByteString } from '../../byte-string.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'

/** What a start comes to: all that it leaves behind, and what it answers besides its ids. */
export interface StartSnapshot {
  /** As it is after the first turn; never changed again. */
  readonly conversation: Conversation
  /** The results that it writes, as far as they are kept. */
  readonly results: readonly ResultUpdate[]
  /** The response behind its ids. */
  readonly response: ByteString
  /** Blocks that the turn executed. */
  readonly blocks: number
  /** Those of the turn; the operator hears of failing blocks with each start. */
  readonly logs: readonly LogEntry[]
}

/**
 * Openings that are the same for everybody who brings nothing along: most visitors of a site start like that, and are
 * served without walking the flow again. They go when their publication goes.
 */
export interface StartSnapshotCache {
  /** Undefined when it has to be walked. */
  find(published: PublishedFlow, body: StartChatBody): StartSnapshot | undefined
  /** To be called with what is the same for everybody only. */
  keep(published: PublishedFlow, body: StartChatBody, opening: StartSnapshot): void
}

/** Characters of an opening up to which it is kept: beyond, the walk is not what takes the time. */
const maxSnapshotLength = 64 * 1024

export function createStartSnapshotCache(): StartSnapshotCache {
  const kept = new WeakMap<PublishedFlow, Map<string, StartSnapshot>>()
  return {
    find(published, body) {
      return hasNoVisitorInput(body) ? kept.get(published)?.get(variantKey(body)) : undefined
    },
    keep(published, body, opening) {
      if (!hasNoVisitorInput(body) || snapshotLength(opening) > maxSnapshotLength) return
      const variants = kept.get(published) ?? new Map<string, StartSnapshot>()
      kept.set(published, variants.set(variantKey(body), opening))
    },
  }
}

function snapshotLength({
  conversation: { frames, transcript = [] },
  results,
  response,
  logs,
}: StartSnapshot): number {
  const said = transcript.reduce((length, line) => length + line.length, 0)
  const held = frames.reduce((length, { variables }) => length + variables.length, 0)
  return response.length + JSON.stringify([results, logs]).length + said + held
}

/** Whatever is kept must be no visitor's own. */
function hasNoVisitorInput({
  message,
  prefilledVariables,
  resultId,
  isOnlyRegistering,
}: StartChatBody): boolean {
  return (
    (message === undefined || message === null) &&
    prefilledVariables === undefined &&
    resultId === undefined &&
    isOnlyRegistering !== true
  )
}

/** What an opening may be besides, for one flow. */
function variantKey({
  isStreamEnabled = false,
  textBubbleContentFormat = 'richText',
}: StartChatBody): string {
  return isStreamEnabled ? `${textBubbleContentFormat}, streamed` : textBubbleContentFormat
}

/** Who begins with an opening, and when. */
export interface SnapshotOwner {
  readonly sessionId: string
  readonly resultId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly requestId?: string | undefined
}

/** What an opening that is kept leaves behind for one more visitor: all that it writes goes to one result. */
export function instantiateSnapshot(
  { conversation, results, response, blocks, logs }: StartSnapshot,
  { sessionId, resultId, now, requestId }: SnapshotOwner,
): StartSnapshot {
  return {
    conversation: { ...conversation, frames: conversation.frames.map((frame) => ({ ...frame, resultId })) },
    results: results.map((result) => ({
      ...result,
      id: resultId,
      now,
      requestId,
      lastChatSessionId: sessionId,
    })),
    response,
    blocks,
    logs,
  }
}

import type { StartChatBody } from '../../../schemas/start-chat.ts'
import type { WireText } from '../../byte-string.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'

/** What a start comes to: all that it leaves behind, and what it answers besides its ids. */
export interface Opening {
  /** As it is after the first turn; never changed again. */
  readonly conversation: Conversation
  /** The results that it writes, as far as they are kept. */
  readonly results: readonly ResultUpdate[]
  /** The response behind its ids. */
  readonly response: WireText
  /** Blocks that the turn executed. */
  readonly blocks: number
}

/**
 * Openings that are the same for everybody who brings nothing along: most visitors of a site start like that, and are
 * served without walking the flow again. They go when their publication goes.
 */
export interface Openings {
  /** Undefined when it has to be walked. */
  find(published: PublishedFlow, body: StartChatBody): Opening | undefined
  /** To be called with what is the same for everybody only. */
  keep(published: PublishedFlow, body: StartChatBody, opening: Opening): void
}

/** Characters of an opening up to which it is kept: beyond, the walk is not what takes the time. */
const longestOpening = 64 * 1024

export function createOpenings(): Openings {
  const kept = new WeakMap<PublishedFlow, Map<string, Opening>>()
  return {
    find(published, body) {
      return bringsNothing(body) ? kept.get(published)?.get(variantOf(body)) : undefined
    },
    keep(published, body, opening) {
      if (!bringsNothing(body) || lengthOf(opening) > longestOpening) return
      const variants = kept.get(published) ?? new Map<string, Opening>()
      kept.set(published, variants.set(variantOf(body), opening))
    },
  }
}

function lengthOf({ conversation: { frames, transcript = [] }, results, response }: Opening): number {
  const said = transcript.reduce((length, line) => length + line.length, 0)
  const held = frames.reduce((length, { variables }) => length + variables.length, 0)
  return response.length + JSON.stringify(results).length + said + held
}

/** Whatever is kept must be no visitor's own. */
function bringsNothing({ message, prefilledVariables, resultId, isOnlyRegistering }: StartChatBody): boolean {
  return (
    (message === undefined || message === null) &&
    prefilledVariables === undefined &&
    resultId === undefined &&
    isOnlyRegistering !== true
  )
}

/** What an opening may be besides, for one flow. */
function variantOf({ isStreamEnabled = false, textBubbleContentFormat = 'richText' }: StartChatBody): string {
  return isStreamEnabled ? `${textBubbleContentFormat}, streamed` : textBubbleContentFormat
}

/** Who begins with an opening, and when. */
export interface Beginning {
  readonly sessionId: string
  readonly resultId: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What an opening that is kept leaves behind for one more visitor: all that it writes goes to one result. */
export function openingOf(
  { conversation, results, response, blocks }: Opening,
  { sessionId, resultId, now }: Beginning,
): Opening {
  return {
    conversation: { ...conversation, frames: conversation.frames.map((frame) => ({ ...frame, resultId })) },
    results: results.map((result) => ({ ...result, id: resultId, now, lastChatSessionId: sessionId })),
    response,
    blocks,
  }
}

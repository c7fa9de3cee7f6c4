import type { ByteString } from '../../byte-string.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { Lease, MaybePromise } from '../../stores/conversation-store.ts'
import type { RecordedSession } from '../../stores/recorded-session.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'
import type { SessionMocks, SessionTrace } from '../../stores/session.ts'
import type { Versioned } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { addIds } from '../response/chat-response.ts'
import { saveStart } from '../session/enter-session.ts'
import { type SessionFacts, serializeConversation } from '../session/serialize-conversation.ts'

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
  /** The response without its ids. */
  readonly response: ByteString
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
}

/** What a session is to know of its start that the start does not. */
export type CommitTerms = Pick<SessionFacts, 'publicId' | 'isTrusted' | 'needsToken'> &
  Versioned & { readonly lease: Lease | undefined }

/** Keeps what a start leaves behind, and returns its response. */
export function commitStart(
  { sessionId, resultId, createdAt, conversation, isOnlyRegistering, results, response, ...kept }: Start,
  { lease, onVersion, ...more }: CommitTerms,
  deps: ChatDependencies,
): MaybePromise<ByteString> {
  const { trace, mocks, recording } = kept
  const facts = {
    id: sessionId,
    createdAt,
    isRegisteredOnly: isOnlyRegistering,
    trace,
    mocks,
    recording,
    ...more,
  }
  const session = serializeConversation(conversation, facts)
  const answer = addIds({ sessionId, resultId }, response)
  const saved = (version: string) => {
    onVersion?.(version)
    return answer
  }
  const saving = saveStart({ session, results, answer }, lease, deps)
  return saving instanceof Promise ? saving.then(saved) : saved(saving)
}

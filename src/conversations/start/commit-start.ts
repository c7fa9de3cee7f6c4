import type { ByteString } from '../../lib/byte-string.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import { contactWrite, type MetContact } from '../contact/met-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { eventsOfTurn } from '../outgoing/outgoing-events.ts'
import type { Versioned } from '../request.ts'
import { addIds } from '../response/chat-response.ts'
import { commitTurn, sessionVersion, withVersion } from '../session/enter-session.ts'
import { type SessionFacts, serializeConversation } from '../session/serialize-conversation.ts'
import type { Start } from './start-snapshot-cache.ts'

/** Facts of a session that its start does not know. */
type CommitTerms = Pick<SessionFacts, 'publicId' | 'isTrusted' | 'needsToken'> &
  Versioned & {
    readonly lease: Lease | undefined
    readonly address?: string | undefined
    readonly contact?: MetContact | undefined
  }

/** Keeps what a start leaves behind, under its lease where it has one, and returns its response. */
export async function commitStart(
  { sessionId, resultId, createdAt, conversation, isOnlyRegistering, results, response, ...kept }: Start,
  { lease, onVersion, address, contact: met, ...more }: CommitTerms,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { trace, mocks, recording, timers } = kept
  const facts = {
    id: sessionId,
    createdAt,
    isRegisteredOnly: isOnlyRegistering,
    trace,
    mocks,
    recording,
    timers,
    contact: met?.session,
    ...more,
  }
  const session = serializeConversation(conversation, facts)
  const { id, isVerified } = met?.session ?? {}
  const mark = met && { id, isVerified }
  const answer = addIds({ sessionId, resultId, contact: mark }, response)
  const version = sessionVersion({ session, revision: (lease?.revision ?? 0) + 1 })
  const contact = met && contactWrite(conversation, { contact: met.session, met, results })
  const told = { entry: 'start', isFirst: true, response } as const
  const isTold = !isOnlyRegistering && !deps.subscribers.isEmpty
  const outgoing = isTold ? await eventsOfTurn({ session, results }, told, deps) : undefined
  const first = { session, results, contact, address, outgoing }
  if (lease) await commitTurn(lease, { ...first, answer: withVersion(version, answer) }, deps)
  else await deps.conversations.start(first)
  onVersion?.(version)
  return answer
}

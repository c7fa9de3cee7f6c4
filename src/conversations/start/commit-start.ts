import type { Settings } from '../../../schemas/settings.ts'
import { maskOfFrames } from '../../engine/turn/turn-mask.ts'
import { type ByteString, objectOf, readJson } from '../../lib/byte-string.ts'
import type { Session } from '../../sessions/session.ts'
import type { Remembered } from '../../sessions/session-contact.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import { contactWrite, type MetContact } from '../contact/met-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type ChannelWriting, type TemplateRequest, writeForChannel } from '../outgoing/channel-output.ts'
import { eventsOfTurn, transcriptToHandOver } from '../outgoing/outgoing-events.ts'
import type { Versioned } from '../request.ts'
import { addIds, shownIn } from '../response/chat-response.ts'
import { commitTurn, withVersion } from '../session/enter-session.ts'
import {
  type SessionFacts,
  serializeConversation,
  sessionVersion,
} from '../session/serialize-conversation.ts'
import type { Start } from './start-snapshot-cache.ts'

/** An operator who begins a conversation on a messenger, of which nothing runs before its person answers. */
export interface Invitation {
  readonly template: TemplateRequest
  /** Remembered of the person, beside what flows remember. */
  readonly memory: Remembered
}

/** Facts of a session that its start does not know. */
type CommitTerms = Pick<SessionFacts, 'publicId' | 'isTrusted' | 'needsToken' | 'channel'> &
  Versioned & {
    readonly lease: Lease | undefined
    readonly address?: string | undefined
    readonly contact?: MetContact | undefined
    readonly invitation?: Invitation | undefined
  }

/** Keeps what a start leaves behind, under its lease where it has one, and returns its response. */
export async function commitStart(
  start: Start,
  terms: CommitTerms,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { sessionId, resultId, conversation, isOnlyRegistering, results, count, rest } = start
  const { lease, onVersion, address, contact: met, invitation } = terms
  const session = serializeConversation(conversation, factsOf(start, terms))
  const { id, isVerified } = met?.session ?? {}
  const mark = met && { id, isVerified }
  const answer = addIds({ sessionId, resultId, contact: mark }, rest)
  const version = sessionVersion({ session, revision: (lease?.revision ?? 0) + 1 })
  const written = met && contactWrite(conversation, { contact: met.session, met, results })
  const contact = written && invitation ? { ...written, memory: invitation.memory } : written
  const isTold = !isOnlyRegistering && !deps.subscribers.isEmpty
  const transcript = isTold ? await transcriptToHandOver(session, undefined, deps.results) : undefined
  const told = () =>
    ({
      entry: 'start',
      isFirst: true,
      shown: () => shownIn(objectOf(rest)),
      mask: () => maskOfFrames(conversation.frames),
      transcript,
    }) as const
  const events = isTold ? eventsOfTurn({ session, results }, told(), deps) : undefined
  const said = session.channel && (await sayFirst(session, { start, terms }, deps))
  const first = {
    session: said ? { ...session, channel: said.channel } : session,
    results,
    contact,
    address,
    counted: count?.counted,
    outgoing: said ? [...(events ?? []), ...said.outgoing] : events,
  }
  if (lease) await commitTurn(lease, { ...first, answer: withVersion(version, answer) }, deps)
  else await deps.conversations.start(first)
  onVersion?.(version)
  return answer
}

/** Each by its name: to copy what else is in both objects is slow, and every start does this. */
function factsOf(
  { sessionId, createdAt, isOnlyRegistering, trace, mocks, recording, timers, count }: Start,
  { publicId, isTrusted, needsToken, channel, contact }: CommitTerms,
): SessionFacts {
  return {
    id: sessionId,
    createdAt,
    isRegisteredOnly: isOnlyRegistering,
    publicId,
    isTrusted,
    needsToken,
    contact: contact?.session,
    trace,
    mocks,
    recording,
    timers,
    channel,
    counted: count?.state,
  }
}

/** Writes a start for the messenger that it is held on; undefined where nothing is said yet. */
async function sayFirst(
  session: Session,
  { start, terms }: { readonly start: Start; readonly terms: CommitTerms },
  deps: ChatDependencies,
): Promise<ChannelWriting | undefined> {
  const { rest, isOnlyRegistering } = start
  const { contact, invitation } = terms
  if (isOnlyRegistering && !invitation) return undefined
  const response = objectOf(rest)
  const shown = { session: { ...session, contact: contact?.session }, revision: 1, response, ...invitation }
  return writeForChannel({ ...shown, settings: () => settingsIn(response) }, deps)
}

const settingsIn = (response: ByteString) => (readJson(response)['flow'] as { settings: Settings }).settings

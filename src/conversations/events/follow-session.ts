import type { Reply } from '../../engine/model/step.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Events } from '../../ports/event-receiver.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { openSession, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'
import { openTrace, turnsAfter } from '../trace/read-trace.ts'
import type { Viewer } from './session-views.ts'

/** Events that a look at a session found, and whether there will be more. */
interface SessionChanges<Event> {
  readonly events: readonly Event[]
  readonly isOver: boolean
}

/** Tells what is new since the last look. It keeps numbers of what it has seen, and nothing else. */
type ChangeReader<Event> = (stored: StoredConversation | undefined) => SessionChanges<Event>

interface FollowRequest extends SessionRequest {
  /** Client's address, whose share of all streams it takes. */
  readonly address: string
  /** The version that the client knows; absent for the present one. */
  readonly since?: string | undefined
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal
}

/** A turn of a traced preview. */
interface TraceEvent {
  readonly type: 'turn'
  /** The number of the turn. */
  readonly version: string
  /** JSON. */
  readonly data: string
}

/**
 * Webhook: a payload came in for the listener where the session waits. Messages: the session or a person said them. Reply: said
 * to that person. Updated: a turn was taken.
 */
export interface SessionEvent {
  readonly type: 'webhook' | 'messages' | 'reply' | 'updated'
  /** Of the session, after what happened. */
  readonly version: string
  /** JSON; absent for the version alone. */
  readonly data?: string
}

/**
 * Follows what happens to a session (docs/api.md 4.15), to its end, or until the signal is aborted. The session is not
 * held meanwhile.
 *
 * Throws as a look does, and TOO_MANY_REQUESTS for one stream too many.
 */
export async function followSession(
  request: FollowRequest,
  deps: ChatDependencies,
): Promise<Events<SessionEvent>> {
  const { stored } = await openSession(request, deps)
  admit(request, deps)
  return eventsOf(request, changeReader(request.since ?? sessionVersion(stored)), deps)
}

/**
 * Follows what the turns of a traced preview do (docs/debug.md), those that are kept first; `since` is the number of a
 * turn. Ends with the session. Throws as `followSession` does, and NOT_FOUND for a session without a trace.
 */
export async function followTrace(
  request: FollowRequest,
  deps: ChatDependencies,
): Promise<Events<TraceEvent>> {
  await openTrace(request, deps)
  admit(request, deps)
  return eventsOf(request, turnReader(Number(request.since ?? 0)), deps)
}

/** A client that has hung up by now gets no event, and its end is never signalled. */
function admit(request: FollowRequest, { eventStreams }: Pick<ChatDependencies, 'eventStreams'>): void {
  if (request.signal.aborted || eventStreams.admit(request)) return
  throw new ServiceError('TOO_MANY_REQUESTS', 'Too many streams of events are open', { retryAfter: 5 })
}

/** Tells it as long as the signal lasts. No function waits here, as one keeps what it has last seen. */
function eventsOf<Event>(
  { sessionId, signal }: FollowRequest,
  tell: ChangeReader<Event>,
  { sessionViews, conversations }: Pick<ChatDependencies, 'sessionViews' | 'conversations'>,
): Events<Event> {
  return (receiver) => {
    const stop = () => {
      leave()
      signal.removeEventListener('abort', end)
    }
    const end = () => {
      stop()
      receiver.end()
    }
    const viewer: Viewer = {
      see(stored) {
        const { events, isOver } = tell(stored)
        for (const event of events) receiver.receive(event)
        if (isOver) end()
      },
      fail(error) {
        stop()
        receiver.fail(error)
      },
    }
    const leave = sessionViews.view(sessionId, viewer, conversations)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  }
}

/** The turns of a trace as they come, those that are kept first. */
function turnReader(after: number): ChangeReader<TraceEvent> {
  let last = after
  return (stored) => {
    const turns = turnsAfter(stored?.session.trace, last)
    last = turns.at(-1)?.turn ?? last
    return {
      events: turns.map((turn) => ({
        type: 'turn',
        version: String(turn.turn),
        data: JSON.stringify(turn),
      })),
      isOver: !stored?.session.trace || stored.session.state === 'ended',
    }
  }
}

function changeReader(since: string): ChangeReader<SessionEvent> {
  let version = since
  let payload: string | undefined
  return (stored) => {
    const events: SessionEvent[] = []
    const present = stored ? sessionVersion(stored) : version
    if (stored?.payload && payload !== payloadName(stored)) {
      payload = payloadName(stored)
      events.push({ type: 'webhook', version: present })
    }
    const isOver = !stored || stored.session.state === 'ended'
    events.push(...saidSince(stored, version))
    if (present !== version || isOver) events.push({ type: 'updated', version: present })
    version = present
    return { events, isOver }
  }
}

/** Words that nobody was answered with, since a version; all of them where the session was started anew under its id. */
function saidSince(stored: StoredConversation | undefined, since: string): readonly SessionEvent[] {
  const said = stored?.session.said
  if (!stored || !said) return []
  const nameOf = (revision: number) => sessionVersion({ ...stored, revision })
  const known = Number.parseInt(since, 10)
  const isSame = since === nameOf(known)
  return said
    .filter(({ revision }) => !isSame || revision > known)
    .flatMap(({ revision, messages, actions: clientSideActions, reply }): SessionEvent[] => {
      const version = nameOf(revision)
      if (reply) return [{ type: 'reply', version, data: JSON.stringify({ version, reply: wordsOf(reply) }) }]
      if (messages.length === 0 && !clientSideActions) return []
      return [{ type: 'messages', version, data: JSON.stringify({ version, messages, clientSideActions }) }]
    })
}

const wordsOf = (reply: Reply) =>
  reply.type === 'audio' ? { url: reply.url } : { text: reply.text, attachedFileUrls: reply.attachedFileUrls }

/** Identifies a payload: earlier ones have its number only at other revisions. */
function payloadName({ revision, payload }: StoredConversation): string {
  return `${revision} ${payload?.number}`
}

import type { Conversation } from '../../engine/model/conversation.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import { unseen } from '../events/said-after.ts'
import type { Versioned } from '../request.ts'
import { addTimers, pausedFor, type SessionState, writeSessionResponse } from '../response/chat-response.ts'
import { renderAppearance } from '../response/render-appearance.ts'
import { openSession, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'
import { announceTimers } from '../timers/timers-after.ts'
import { presentState } from './present-state.ts'

export interface GetSessionRequest extends SessionRequest, Versioned {}

/**
 * Returns the state of a session (docs/api.md 4.13), with what it waits for rendered with the present values. Waits for no
 * turn, and changes nothing but the time that the session is forgotten.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or expired, FORBIDDEN for a foreign origin, and UNAUTHORIZED for
 * a preview that needs the token.
 */
export async function getSession(request: GetSessionRequest, deps: ChatDependencies): Promise<ByteString> {
  const open = await openSession(request, deps)
  const state = stateOf(open.conversation)
  const { variables } = open.conversation.frames[0]
  const { turn, runner } = await presentState(open, deps)
  const appearance = await renderAppearance(turn, { runner, variables })
  request.onVersion?.(sessionVersion(open.stored))
  const { mocks } = open.stored.session
  const now = (mocks && new MockWorld(mocks).now) ?? deps.ports.now()
  const response = writeSessionResponse(
    { turn, ...appearance },
    {
      state,
      publishedAt: await publishedAtOf(turn, deps),
      said: saidIn(open.stored),
      timers: timersIn(open.stored),
    },
  )
  return addTimers(response, announceTimers(open.stored.session, now))
}

/** Since its visitor last did something. */
function saidIn({ session: { said = [] } }: StoredConversation) {
  return unseen(said).flatMap(({ messages }) => messages)
}

/** Visitors are not told what will happen, but when. */
function timersIn({ session: { kind, timers = [] } }: StoredConversation) {
  const set = timers.flatMap(({ type, due, eventId }) => (due === undefined ? [] : [{ type, due, eventId }]))
  if (kind === 'live' || set.length === 0) return undefined
  const inOrder = set.sort((one, other) => one.due - other.due)
  return inOrder.map((timer) => ({ ...timer, due: new Date(timer.due).toISOString() }))
}

function stateOf({ waitingBlock, sleep, pause }: Conversation): SessionState {
  if (!waitingBlock) return { state: 'registered' }
  if (pause) return { state: 'waiting', waitingFor: 'person', paused: pausedFor(pause) }
  if (sleep) return { state: 'waiting', waitingFor: 'timer', wakesAt: new Date(sleep.until).toISOString() }
  if (waitingBlock.handler?.kind === 'input') return { state: 'waiting', waitingFor: 'input' }
  return { state: 'waiting', waitingFor: waitingBlock.type === 'webhook' ? 'webhook' : 'action' }
}

/** A session keeps to the version that it was started on, of which there is a time as long as it is the published one. */
async function publishedAtOf(
  { conversation }: { readonly conversation: Conversation },
  { published }: Pick<ChatDependencies, 'published'>,
): Promise<string | undefined> {
  if (!conversation.isLive) return undefined
  const { program } = conversation.frames[0]
  const current = await published.byFlowId(program.id)
  return current?.program.hash === program.hash ? current.publishedAt : undefined
}

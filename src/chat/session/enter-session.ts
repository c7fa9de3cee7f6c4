import type { ByteString } from '../../byte-string.ts'
import { ServiceError } from '../../errors.ts'
import type {
  Entered,
  EnteredStart,
  EnterStartRequest,
  FirstCommit,
  Lease,
  MaybePromise,
  NotEntered,
  TurnCommit,
} from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Repeatable, Versioned } from '../request.ts'
import {
  type OpenSession,
  openStored,
  type SessionRequest,
  type SessionSources,
  sessionNotFound,
} from './open-session.ts'
import { sessionVersion, splitVersion, withVersion } from './session-version.ts'

/** A session that is held: later requests wait in order of arrival. */
export interface EnteredSession extends OpenSession {
  readonly lease: Lease
}

type Conversations = Pick<ChatDependencies, 'conversations'>

/**
 * Runs work while it holds the session. What is not committed leaves the session as it was.
 *
 * Throws NOT_FOUND for a session that is unknown, ended or forgotten, FORBIDDEN for a foreign origin, and
 * TOO_MANY_REQUESTS when too many wait.
 */
export async function withSession<T>(
  request: SessionRequest,
  deps: SessionSources,
  work: (entered: EnteredSession) => Promise<T>,
): Promise<T> {
  const entering = deps.conversations.enter({ id: request.sessionId })
  const entered = entering instanceof Promise ? await entering : entering
  if (entered.state !== 'entered') throw await refusalOf(entered, request.sessionId, deps)
  return workIn(entered, request, deps, work)
}

/**
 * As `withSession`, for a turn that is answered. A request that repeats one by its key is answered as that was, and
 * throws CONFLICT while that is being answered, UNPROCESSABLE_CONTENT for another body.
 */
export function answerInSession<Answer extends ByteString | undefined>(
  request: SessionRequest & Repeatable & Versioned,
  deps: SessionSources,
  work: (entered: EnteredSession) => Promise<Answer>,
): Promise<Answer | ByteString> {
  const { sessionId, idempotency } = request
  const answer = (entered: Entered | NotEntered): Promise<Answer | ByteString> =>
    entered.state === 'entered'
      ? workIn(entered, request, deps, work)
      : replayOf(entered, { ...request, id: sessionId }, deps)
  const entering = deps.conversations.enter({ id: sessionId, idempotency })
  return entering instanceof Promise ? entering.then(answer) : answer(entering)
}

async function workIn<T>(
  { lease, conversation: stored }: Entered,
  request: SessionRequest,
  deps: SessionSources,
  work: (entered: EnteredSession) => Promise<T>,
): Promise<T> {
  try {
    const opening = openStored(stored, request, deps)
    const { conversation } = opening instanceof Promise ? await opening : opening
    return await work({ stored, conversation, lease })
  } finally {
    const released = deps.conversations.release(lease)
    if (released instanceof Promise) await released
  }
}

/** Enters for a start, which is answered or repeated as a turn is. */
export async function answerInStart(
  request: EnterStartRequest,
  { conversations }: Conversations,
  {
    repeatable,
    work,
  }: { repeatable: Repeatable & Versioned; work: (lease: EnteredStart['lease']) => Promise<ByteString> },
): Promise<ByteString> {
  const entered = await conversations.enterStart(request)
  const id = 'newId' in request ? request.newId : request.previewId
  if (entered.state !== 'entered') return replayOf(entered, { ...repeatable, id }, { conversations })
  try {
    return await work(entered.lease)
  } finally {
    await conversations.release(entered.lease)
  }
}

/** Commits a turn; the new revision. Throws SERVICE_UNAVAILABLE, with nothing kept, when the lease was lost. */
export function commitTurn(
  lease: Lease,
  turn: TurnCommit,
  { conversations }: Conversations,
): MaybePromise<number> {
  const committed = conversations.commit(lease, turn)
  return committed instanceof Promise ? committed.then(unlessLost) : unlessLost(committed)
}

function unlessLost(revision: number | undefined): number {
  if (revision !== undefined) return revision
  throw turnLost()
}

/** The refusal of a turn whose session was taken over while it ran. */
export function turnLost(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'The turn took too long and was not kept: send it again')
}

/** Keeps what a start leaves behind, under its lease where it has one, and returns the version of the session. */
export function saveStart(
  { session, results, answer }: FirstCommit & { readonly answer: ByteString },
  lease: Lease | undefined,
  { conversations }: Conversations,
): MaybePromise<string> {
  const version = sessionVersion({ session, revision: (lease?.revision ?? 0) + 1 })
  const saved = lease
    ? commitTurn(lease, { session, results, answer: withVersion(version, answer) }, { conversations })
    : conversations.start({ session, results })
  return saved instanceof Promise ? saved.then(() => version) : version
}

async function replayOf(
  entered: NotEntered,
  { id, idempotency, onVersion }: Repeatable & Versioned & { readonly id: string },
  deps: Conversations,
): Promise<ByteString> {
  if (entered.state !== 'answered') throw await refusalOf(entered, id, deps)
  idempotency?.replayed()
  // Whatever was committed was ready to be sent.
  const { version, answer } = splitVersion(entered.answer)
  onVersion?.(version)
  return answer
}

async function refusalOf(
  { state }: NotEntered,
  id: string,
  { conversations }: Conversations,
): Promise<ServiceError> {
  switch (state) {
    case 'not found':
      return sessionNotFound(await conversations.whyMissing(id))
    case 'too many waiting':
      return new ServiceError(
        'TOO_MANY_REQUESTS',
        'Too many requests are waiting for this session: send one, and the next when it is answered',
      )
    case 'running':
      return new ServiceError('CONFLICT', 'A request with this Idempotency-Key is still being answered', {
        retryAfter: 1,
      })
    case 'other request':
      return new ServiceError(
        'UNPROCESSABLE_CONTENT',
        'This Idempotency-Key was used for a request with another body',
      )
    case 'answered':
      throw new Error('a request without a key is never answered before it entered')
  }
}

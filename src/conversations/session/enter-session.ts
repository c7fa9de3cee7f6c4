import { type ByteString, readJson } from '../../lib/byte-string.ts'
import { ServiceError } from '../../lib/errors.ts'
import {
  droppedAnswer,
  type Entered,
  type Lease,
  type NotEntered,
  type TurnCommit,
} from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Repeatable, Versioned } from '../request.ts'
import { sessionNotFound } from './open-session.ts'

const separator = '\n'

/** An answer as it is kept for repetitions, which are given the version of then. */
export function withVersion(version: string, answer: ByteString): string {
  return version + separator + answer
}

type Conversations = Pick<ChatDependencies, 'conversations'>

/**
 * Enters a session: later requests wait in order of arrival until it is committed or released. Throws NOT_FOUND for one
 * that is unknown or forgotten, and TOO_MANY_REQUESTS when too many wait.
 */
export async function enterSession(id: string, { conversations }: Conversations): Promise<Entered> {
  const entered = await conversations.enter({ id })
  if (entered.state === 'entered') return entered
  throw await refusalOf(entered, id, { conversations })
}

/** Commits a turn; the new revision. Throws SERVICE_UNAVAILABLE, with nothing kept, when the lease was lost. */
export async function commitTurn(
  lease: Lease,
  turn: TurnCommit,
  { conversations }: Conversations,
): Promise<number> {
  const revision = await conversations.commit(lease, turn)
  if (revision === undefined) throw turnLost()
  return revision
}

/** The refusal of a turn whose session was taken over while it ran. */
export function turnLost(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'The turn took too long and was not kept: send it again')
}

/**
 * The answer to a request that did not enter: what an earlier one with its key was answered. Throws as `enterSession`
 * does, CONFLICT while the earlier one is being answered, and UNPROCESSABLE_CONTENT for another body.
 */
export async function repeatAnswer(
  entered: NotEntered,
  { id, idempotency, onVersion }: Repeatable & Versioned & { readonly id: string },
  deps: Conversations,
): Promise<ByteString> {
  if (entered.state !== 'answered') throw await refusalOf(entered, id, deps)
  if (entered.answer === droppedAnswer)
    throw new ServiceError(
      'CONFLICT',
      'The request with this Idempotency-Key was answered, and the answer is not kept any more: look at the session',
    )
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

/** The session that a kept answer of a start has begun; undefined where its text is not kept any more. */
export function sessionOfAnswer(kept: string): string | undefined {
  return kept === droppedAnswer ? undefined : (readJson(splitVersion(kept).answer)['sessionId'] as string)
}

/** Takes a kept answer apart. JSON has no line end outside of its texts, and none inside that is not escaped. */
function splitVersion(kept: string): { readonly version: string; readonly answer: ByteString } {
  const end = kept.indexOf(separator)
  return { version: kept.slice(0, end), answer: kept.slice(end + 1) as ByteString }
}

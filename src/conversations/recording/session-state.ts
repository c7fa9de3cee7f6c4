import { contentHash } from '../../definition/content-hash.ts'
import type { Session } from '../../sessions/session.ts'

/** Conversation as a session holds it. */
type SessionState = Pick<
  Session,
  | 'state'
  | 'queue'
  | 'waitingBlock'
  | 'locale'
  | 'isStreamEnabled'
  | 'answered'
  | 'mails'
  | 'isProgressTracked'
  | 'returnMarks'
  | 'transcript'
  | 'payment'
  | 'pause'
>

/** The part of a session that its turns work with. */
export function stateOf(session: Session): SessionState {
  const { state, queue, waitingBlock, locale, isStreamEnabled, answered, mails } = session
  const { isProgressTracked, returnMarks, transcript, payment, pause } = session
  return {
    state,
    queue,
    waitingBlock,
    locale,
    isStreamEnabled,
    answered,
    mails,
    isProgressTracked,
    returnMarks,
    transcript,
    payment,
    pause,
  }
}

/** Names the state: what was kept by a store in between has the same name. */
export function nameOfState(state: SessionState): string {
  return contentHash(JSON.stringify(state, sortKeys))
}

/** Stores keep values, and not the order of keys. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

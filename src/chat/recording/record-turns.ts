import type { Turn } from '../../engine/turn/turn.ts'
import type { RecordedSession, RecordedStart, RecordedTurn } from '../../stores/recorded-session.ts'
import type { Session } from '../../stores/session.ts'
import type { ChatDependencies, RecordingTerms } from '../dependencies.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import { hasErrors } from '../turn/report-errors.ts'
import { nameOfState, stateOf } from './session-state.ts'
import { TurnTape } from './turn-tape.ts'

/** What a session is to be recorded for. */
export type RecordingWish = Pick<RecordedSession, 'isForErrors'>

/** Whether a live session that begins now is recorded, and what for. */
export function wishForLive({
  recordings: { live },
  ports,
}: Pick<ChatDependencies, 'recordings' | 'ports'>): RecordingWish | undefined {
  if (!live || (live.share < 1 && ports.random() >= live.share)) return undefined
  return live.isForErrors ? { isForErrors: true } : {}
}

/** A tape for the next turn of a session; undefined where that is not wanted, or there is no room for it. */
export function tapeFor(
  session: { readonly recording?: RecordedSession | RecordingWish | undefined },
  { recordings }: { readonly recordings: RecordingTerms },
): TurnTape | undefined {
  const { recording } = session
  const isFull = recording && 'isCut' in recording && recording.isCut
  return recording && !isFull ? new TurnTape(recordings.maxLength) : undefined
}

/** A turn that is over. */
interface FinishedTurn extends Pick<RecordedTurn, 'entry' | 'request' | 'payload'> {
  readonly turn: Turn
  readonly tape: TurnTape
  /** Without the ids of a start, and without a trace. */
  readonly response: string
  readonly isOnlyRegistering?: boolean | undefined
  /** As the turn found it; absent for a start. */
  readonly session?: Session
}

/** The recording of a session that begins. */
export function recordStart(
  { start, wish }: { readonly start: RecordedStart; readonly wish: RecordingWish },
  finished: FinishedTurn,
  terms: RecordingTerms,
): RecordedSession | undefined {
  return addTurn({ start, turns: [], ...wish }, finished, terms)
}

/** The recording with one more turn; undefined once it is known that it will not be kept. */
export function addTurn(
  recording: RecordedSession,
  finished: FinishedTurn,
  { maxLength }: RecordingTerms,
): RecordedSession | undefined {
  const { turn } = finished
  const recorded = recordedTurn(finished, recording.turns.at(-1))
  const failed = hasErrors(turn.output.logs) || undefined
  const marked = { ...recording, ...(failed && { hasErrors: failed }) }
  if (isUseless(marked, turn)) return undefined
  const extended = recorded && { ...marked, turns: [...recording.turns, recorded] }
  // What is kept with the session is written anew with each turn.
  return extended && JSON.stringify(extended).length <= maxLength ? extended : { ...marked, isCut: true }
}

const isUseless = ({ isForErrors, hasErrors: failed }: RecordedSession, { conversation }: Turn) =>
  isForErrors && !failed && !conversation.waitingBlock

function recordedTurn(
  { turn, tape, entry, request, payload, response, isOnlyRegistering, session }: FinishedTurn,
  before: RecordedTurn | undefined,
): RecordedTurn | undefined {
  const { effects } = tape
  if (!effects) return undefined
  const found = session && stateOf(session)
  const isChanged = found && before && nameOfState(found) !== before.left
  const blocks = turn.budget.trail.map(({ id }) => id)
  const facts = { id: '', createdAt: 0, isRegisteredOnly: isOnlyRegistering ?? false }
  const left = nameOfState(stateOf(serializeConversation(turn.conversation, facts)))
  return { entry, request, payload, ...(isChanged && { found }), effects, blocks, response, left }
}

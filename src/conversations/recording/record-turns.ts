import type { LinkAnswer } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type {
  RecordedEffect,
  RecordedSession,
  RecordedStart,
  RecordedTurn,
} from '../../sessions/recorded-session.ts'
import type { Session } from '../../sessions/session.ts'
import type { ChatDependencies, RecordingTerms } from '../dependencies.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'
import type { Journal } from '../turn/journal.ts'
import { hasErrors } from '../turn/report-turn.ts'
import { effectKey } from './effect-key.ts'
import { toExactJson } from './exact-json.ts'
import { maskRecorded } from './mask-recorded.ts'
import { nameOfState, stateOf } from './session-state.ts'

/** Reason for which a session is recorded. */
export type RecordingWish = Pick<RecordedSession, 'isForErrors'>

/** Whether a live session that begins now is recorded, and what for. */
export function wishForLive({
  recordings: { live },
  ports,
}: Pick<ChatDependencies, 'recordings' | 'ports'>): RecordingWish | undefined {
  if (!live || (live.share < 1 && ports.random() >= live.share)) return undefined
  return live.isForErrors ? { isForErrors: true } : {}
}

/** Whether the next turn of a session is recorded: it is wanted, and there is room for it. */
export function isRecorded(recording: RecordedSession | RecordingWish | undefined): boolean {
  return recording !== undefined && !('isCut' in recording && recording.isCut)
}

/** A turn that is over. */
interface FinishedTurn extends Pick<RecordedTurn, 'entry' | 'request' | 'payload'> {
  readonly run: { readonly turn: Turn; readonly journal: Journal | undefined }
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
  terms: RecordingTerms,
): RecordedSession | undefined {
  const { turn } = finished.run
  const plain = recordedTurn(finished, recording.turns.at(-1), terms)
  const failed = hasErrors(turn.output.logs) || undefined
  const { start, turn: recorded, masked } = maskRecorded(recording, plain, { turn, terms })
  const marked = { ...recording, start, ...(masked && { masked }), ...(failed && { hasErrors: failed }) }
  if (isUseless(marked, turn)) return undefined
  const extended = recorded && { ...marked, turns: [...recording.turns, recorded] }
  // What is kept with the session is written anew with each turn.
  return extended && JSON.stringify(extended).length <= terms.maxLength
    ? extended
    : { ...marked, isCut: true }
}

const isUseless = ({ isForErrors, hasErrors: failed }: RecordedSession, { conversation }: Turn) =>
  isForErrors && !failed && !conversation.waitingBlock

function recordedTurn(
  { run: { turn, journal }, entry, request, payload, response, isOnlyRegistering, session }: FinishedTurn,
  before: RecordedTurn | undefined,
  terms: RecordingTerms,
): RecordedTurn | undefined {
  const effects = journal && effectsOf(journal, terms)
  if (!effects) return undefined
  const found = session && stateOf(session)
  const isChanged = found && before && nameOfState(found) !== before.left
  const blocks = turn.budget.trail.map(({ id }) => id)
  const facts = { id: '', createdAt: 0, isRegisteredOnly: isOnlyRegistering ?? false }
  const left = nameOfState(stateOf(serializeConversation(turn.conversation, facts)))
  return { entry, request, payload, ...(isChanged && { found }), effects, blocks, response, left }
}

/** Effects of a turn with their answers; undefined where they are too many. */
function effectsOf(journal: Journal, { maxLength }: RecordingTerms): RecordedEffect[] | undefined {
  if (journal.isCut) return undefined
  const effects: RecordedEffect[] = []
  let length = 0
  for (const { effect, outcome, blocks, fetched } of journal.calls) {
    if (fetched || !('answer' in outcome)) continue
    const { answer } = outcome
    const kept = effect.type === 'link' ? programNameOf(answer as LinkAnswer) : toExactJson(answer)
    const recorded = { type: effect.type, key: effectKey(effect), answer: kept, blocks }
    length += JSON.stringify(recorded).length
    if (length > maxLength) return undefined
    effects.push(recorded)
  }
  return effects
}

function programNameOf({ program, ...refused }: LinkAnswer): object {
  return program ? { program: (program as Program).hash, flowId: program.id } : refused
}

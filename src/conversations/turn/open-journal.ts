import type { RecordedSession } from '../../stores/recorded-session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { isRecorded, type RecordingWish } from '../recording/record-turns.ts'
import { callSpans } from '../telemetry/call-spans.ts'
import { beginTurnSpan } from '../telemetry/turn-spans.ts'
import { Journal } from './journal.ts'

/** The parts of a session that ask for a journal. */
export interface ObservedSession {
  readonly trace?: unknown
  readonly recording?: RecordedSession | RecordingWish | undefined
}

/** Opens the journal of a turn that begins; undefined where nobody reads one. */
export function openJournal(
  { trace, recording }: ObservedSession,
  { owner, entry }: { readonly owner: TurnOwner; readonly entry: 'start' | 'continue' | 'stream' },
  { ports, recordings, spans }: Pick<ChatDependencies, 'ports' | 'recordings' | 'spans'>,
): Journal | undefined {
  const wanted = recording !== undefined && isRecorded(recording)
  if (!trace && !wanted && !spans) return undefined
  const turn = beginTurnSpan(owner, entry, { spans })
  return new Journal({
    ports,
    keepsSteps: trace !== undefined,
    leastCharacters: wanted ? 2 * recordings.maxLength : 0,
    spans: turn && spans && callSpans(turn, { spans, isAlone: owner.mocks !== undefined }),
  })
}

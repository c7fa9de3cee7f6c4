import type { TraceCall } from '../../../schemas/trace.ts'
import type { TurnJournal } from '../../engine/turn/turn-journal.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import type { CallEntry, Journal } from '../turn/journal.ts'
import { describeCall } from './describe-call.ts'

/** Is told what a turn did, once it is over. */
export interface TraceListener extends TurnJournal {
  called(call: TraceCall): void
}

/** Tells what a journal holds, in order; calls that have failed with the turn are left out. `passed` gets the time of each. */
export function retell(
  { entries }: Pick<Journal, 'entries'>,
  to: TraceListener,
  { owner, passed }: { readonly owner: CallOwner; passed?(at: number): void },
): void {
  for (const entry of entries) {
    passed?.(entry.type === 'walk' ? entry.at : entry.endedAt)
    if (entry.type === 'walk') entry.retell(to)
    else if ('answer' in entry.outcome) to.called(traceCall(entry, entry.outcome.answer, owner))
  }
}

type CallOwner = Pick<TurnOwner, 'isTrusted' | 'mocks'>

function traceCall(
  { effect, startedAt, endedAt, fetched }: CallEntry,
  answer: Parameters<typeof describeCall>[1],
  { isTrusted = false, mocks }: CallOwner,
): TraceCall {
  const isMocked = fetched?.isMocked ?? (mocks !== undefined && !mocks.hasPassed(effect))
  // A key from no account is the author's own.
  const described = describeCall(effect, answer, { isTrusted: isTrusted || isMocked })
  const call = { type: effect.type, ...described, ms: rounded(endedAt - startedAt) }
  return isMocked ? { ...call, isMocked } : call
}

/** Milliseconds to the microsecond. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

import type { TurnTrace } from '../../../schemas/trace.ts'
import { maskOf } from '../../engine/turn/turn-mask.ts'
import type { SessionTrace } from '../../sessions/session.ts'
import type { TurnRun } from '../turn/run-turn.ts'
import { retell, rounded } from './retell.ts'
import { TraceBuilder } from './trace-builder.ts'

/** Turns of a session that are kept, and their characters together: the session is written anew with each turn. */
const mostTurns = 200
const longestTrace = 256 * 1024

/** The trace of a session that no turn was run in. */
export const emptyTrace: SessionTrace = Object.freeze({ turns: 0, kept: [] })

/** The trace of a session with a turn that is over; undefined where none is kept. The oldest turns make room. */
export function traceWith(
  run: TurnRun,
  entry: TurnTrace['entry'],
  before: SessionTrace | undefined,
): SessionTrace | undefined {
  if (!before || !run.journal) return undefined
  const traced = { turn: before.turns + 1, entry, ...traceOf(run, run.journal) }
  const added = maskOf(run.turn)?.data(traced) ?? traced
  const kept = [...before.kept, added]
  let length = 0
  let from = kept.length
  while (from > 0 && kept.length - from < mostTurns) {
    length += JSON.stringify(kept[from - 1]).length
    if (length > longestTrace && from < kept.length) break
    from -= 1
  }
  return { turns: added.turn, kept: kept.slice(from) }
}

function traceOf(
  { turn, runner, owner }: TurnRun,
  journal: NonNullable<TurnRun['journal']>,
): Omit<TurnTrace, 'turn' | 'entry'> {
  const { id, hash } = turn.conversation.frames[0].program
  const { now, began, startedAt, isCut } = journal
  let at = began
  const builder = new TraceBuilder(() => at)
  const passed = (moment: number) => {
    at = moment
  }
  retell(journal, builder, { owner, passed })
  at = now
  return {
    flow: { id, hash },
    startedAt: new Date(startedAt).toISOString(),
    engineMs: rounded(runner.usedMs),
    wallMs: rounded(now - began),
    ...builder.finish(),
    ...(isCut && { isCut }),
  }
}

import type { Turn } from '../../engine/turn/turn.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { endTurnSpan } from '../telemetry/turn-spans.ts'
import type { EffectRunner } from './effect-runner.ts'
import { flowNameOf, hasErrors, type ReportedOwner, reportErrors } from './report-errors.ts'

/** Reports to the operator what a turn took and which blocks failed in it, once all of it is done. */
export function recordTurn(
  turn: Turn,
  {
    entry,
    driver,
    owner,
  }: {
    readonly entry: 'start' | 'continue'
    readonly driver: EffectRunner
    readonly owner: ReportedOwner
  },
  deps: Pick<ChatDependencies, 'metrics' | 'log'>,
): void {
  const { metrics } = deps
  const kind = turn.conversation.isLive ? 'live' : 'preview'
  const { logs } = turn.output
  const [blocks, engineMs] = [turn.budget.trail.length, driver.usedMs]
  metrics.turnDone({ kind, entry, blocks, engineMs })
  recordLimitMetrics(turn, metrics)
  reportErrors(logs, owner, deps)
  if (owner.span) endTurnSpan(owner.span, turn, engineMs)
  owner.trace?.turnDone({ flow: flowNameOf(owner), blocks, engineMs, hasErrorLogs: hasErrors(logs) })
}

/** Counts the limits that a turn came up against. */
export function recordLimitMetrics({ budget }: Turn, metrics: Metrics): void {
  for (const limit of budget.limitsReached) metrics.limitReached(limit)
}

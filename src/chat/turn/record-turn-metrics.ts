import type { Turn } from '../../engine/turn/turn.ts'
import type { Metrics } from '../../ports.ts'
import type { EffectRunner } from './effect-runner.ts'

/** Tells the operator what a turn took, once all of it is done. */
export function recordTurnMetrics(
  turn: Turn,
  {
    entry,
    driver,
    metrics,
  }: { readonly entry: 'start' | 'continue'; readonly driver: EffectRunner; readonly metrics: Metrics },
): void {
  const kind = turn.conversation.isLive ? 'live' : 'preview'
  metrics.turnDone({ kind, entry, blocks: turn.budget.trail.length, engineMs: driver.usedMs })
  recordLimitMetrics(turn, metrics)
}

/** Tells the operator what a turn came up against. */
export function recordLimitMetrics({ budget }: Turn, metrics: Metrics): void {
  for (const limit of budget.limitsReached) metrics.limitReached(limit)
}

import type { ChatDependencies, TurnLimits } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'

/** The limits by which a stranger's preview may be bound more narrowly than other turns. */
export type AnonymousPreviewLimits = Pick<
  Required<TurnLimits>,
  'blocksPerTurn' | 'turnMs' | 'blockMs' | 'wholeTurnMs' | 'callsPerTurn' | 'codeMs' | 'codeTurnMs'
>

/** The limits with others in their place, as far as those are narrower. */
export function minLimits(limits: TurnLimits, own: AnonymousPreviewLimits): TurnLimits {
  return {
    ...limits,
    blocksPerTurn: Math.min(limits.blocksPerTurn, own.blocksPerTurn),
    turnMs: Math.min(limits.turnMs, own.turnMs),
    blockMs: Math.min(limits.blockMs, own.blockMs),
    wholeTurnMs: Math.min(limits.wholeTurnMs, own.wholeTurnMs),
    callsPerTurn: Math.min(limits.callsPerTurn, own.callsPerTurn),
    codeMs: own.codeMs,
    codeTurnMs: Math.min(limits.codeTurnMs, own.codeTurnMs),
  }
}

/**
 * The same dependencies with the limits of the owner of the turn. An anonymous preview has its own, and waits for its turn
 * with its like.
 */
export function withTurnLimits(
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  deps: ChatDependencies,
): ChatDependencies {
  return kind === 'live' || isTrusted ? deps : { ...deps, ...deps.anonymousPreviews }
}

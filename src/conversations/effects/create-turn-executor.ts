import type { Turn } from '../../engine/turn/turn.ts'
import type { TurnDependencies } from '../dependencies.ts'
import type { Journal } from '../turn/journal.ts'
import type { EffectExecutor } from './effect-executor.ts'
import { MockingExecutor } from './mocks/mocking-executor.ts'
import { TurnEffectExecutor } from './turn-effect-executor.ts'
import type { TurnOwner } from './turn-owner.ts'

/** Terms by which the effects of a turn are performed, besides its owner. */
interface ExecutorTerms {
  readonly deps: TurnDependencies
  /** When the turn began. */
  readonly startedAt: number
  readonly journal?: Journal | undefined
}

/** Makes what performs the effects of a turn: in the world, by the mocks of its owner, or by what stands in for both. */
export function createTurnExecutor(
  turn: Turn,
  owner: TurnOwner,
  { deps, startedAt, journal }: ExecutorTerms,
): EffectExecutor {
  const standIn = deps.createStandIn?.(turn)
  if (standIn) return standIn
  const { mocks } = owner
  if (!mocks) return new TurnEffectExecutor(turn, owner, deps, startedAt)
  return new MockingExecutor({ turn, owner, world: mocks, startedAt, journal }, deps)
}

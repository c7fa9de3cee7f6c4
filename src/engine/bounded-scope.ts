import { BudgetSpent, type Limits } from './limits.ts'
import type { Scope } from './scope.ts'
import type { Variables } from './variables.ts'

/** A rendering outside any block: of the theme, of the settings. */
export interface Rendering<Result> {
  readonly variables: Variables
  readonly limits: Limits
  readonly render: (scope: Scope) => Result
  /** What stands in its place when placeholders would make it grow beyond all bounds. */
  readonly otherwise: Result
}

/** Renders with a budget of its own. Failing inline code shows its source here, without a log. */
export function renderBounded<Result>({ variables, limits, render, otherwise }: Rendering<Result>): Result {
  let characters = 0
  const spend = (count: number) => {
    characters += count
    if (characters > limits.charactersPerTurn) throw new BudgetSpent('its theme and settings grow too large')
  }
  try {
    return render({ variables, spend, log: () => {} })
  } catch (error) {
    if (error instanceof BudgetSpent) return otherwise
    throw error
  }
}

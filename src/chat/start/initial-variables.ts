import { assign } from '../../engine/turn/assign-variable.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { isFilled, type Value } from '../../engine/values/value.ts'

/**
 * Gives variables their first values: what a request prefills wins over what the flow declares, and that over what
 * is remembered of an earlier run (docs/behaviour.md, "First values"). Names that the flow does not declare are
 * left alone.
 */
export function setInitialVariables(
  turn: Turn,
  given: { prefilled: Record<string, unknown> | undefined; remembered: readonly RememberedVariable[] },
): void {
  const { table } = turn.currentFrame.variables
  try {
    for (const { name, value } of given.remembered) {
      const [first] = table.byName(name).candidates
      if (first && !isFilled(first.initial)) assign(turn, { variableId: first.id, value })
    }
    if (given.prefilled) setPrefilled(turn, given.prefilled)
  } catch (error) {
    turn.stopFor(error)
  }
}

/** Asks for the names that are declared: a caller may send any number of others. */
function setPrefilled(turn: Turn, prefilled: Readonly<Record<string, unknown>>): void {
  for (const name of turn.currentFrame.variables.table.names()) {
    if (!Object.hasOwn(prefilled, name)) continue
    const [first] = turn.currentFrame.variables.table.byName(name).candidates
    if (first) assign(turn, { variableId: first.id, value: prefilled[name] })
  }
}

export interface RememberedVariable {
  readonly name: string
  readonly value: Value
}

import { assign } from '../../engine/turn/assign-variable.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { isFilled, toValue, type Value, valueLength } from '../../engine/values/value.ts'
import type { VariableTable } from '../../engine/values/variables.ts'
import { ServiceError } from '../../lib/errors.ts'
import { escapeToken } from '../../lib/json-pointer.ts'

/**
 * Gives variables their first values: what a request prefills wins over what is remembered of the contact, that over what the
 * flow declares, and that over what is remembered of an earlier run (docs/behaviour/variables.md, "First values"). Names that the flow does not declare are
 * left alone.
 */
export function setInitialVariables(
  turn: Turn,
  given: { prefilled: Record<string, unknown> | undefined; remembered: readonly RememberedVariable[] },
): void {
  const { table } = turn.currentFrame.variables
  const { memory } = turn.conversation
  try {
    for (const { name, value } of given.remembered) {
      const [first] = table.byName(name).candidates
      if (!first || isFilled(first.initial) || (memory && first.isOfContact)) continue
      assign(turn, { variableId: first.id, value })
    }
    for (const [name, value] of [...(memory?.values ?? [])]) {
      const [first] = table.byName(name).candidates
      if (first?.isOfContact) assign(turn, { variableId: first.id, value })
    }
    // It is what it was.
    memory?.written.clear()
    if (given.prefilled) setPrefilled(turn, given.prefilled)
  } catch (error) {
    turn.stopFor(error)
  }
}

function setPrefilled(turn: Turn, prefilled: Readonly<Record<string, unknown>>): void {
  const { table } = turn.currentFrame.variables
  for (const name of prefilledNames(prefilled, table)) {
    const [first] = table.byName(name).candidates
    if (first) assign(turn, { variableId: first.id, value: prefilled[name] })
  }
}

/** Asks for the names that are declared: a caller may send any number of others. */
function prefilledNames(
  prefilled: Readonly<Record<string, unknown>>,
  table: VariableTable,
): readonly string[] {
  const names: string[] = []
  for (const name of table.names()) if (Object.hasOwn(prefilled, name)) names.push(name)
  return names
}

/** Characters that a start may prefill: any visitor makes as many sessions as he likes, and each keeps them. */
const maxPrefilledLength = 64 * 1024

/** Throws BAD_REQUEST, naming the value that is too much, where a request prefills more than a session should keep. */
export function checkPrefilledSize(
  prefilled: Readonly<Record<string, unknown>> | undefined,
  table: VariableTable,
  field = 'prefilledVariables',
): void {
  if (!prefilled) return
  let length = 0
  for (const name of prefilledNames(prefilled, table)) {
    length += valueLength(toValue(prefilled[name], maxPrefilledLength))
    if (length > maxPrefilledLength) throw tooMuchPrefilled(field, name)
  }
}

function tooMuchPrefilled(field: string, name: string): ServiceError {
  const pointer = `/${field}/${escapeToken(name)}`
  const message = `makes the prefilled values longer than ${maxPrefilledLength} characters: leave it out, or let the flow request it`
  return new ServiceError('BAD_REQUEST', 'The prefilled variables are too large', {
    problems: [{ pointer, message }],
  })
}

export interface RememberedVariable {
  readonly name: string
  readonly value: Value
}

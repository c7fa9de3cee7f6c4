import { visibleError } from '../model/log-entry.ts'
import type { Assignment } from '../model/step.ts'
import { sensitiveTexts } from '../values/sensitive-values.ts'
import { toValue, type Value, valueLength, valueToText } from '../values/value.ts'
import type { Turn } from './turn.ts'

/** Writes a variable of the flow being walked; one that it does not declare is left alone. */
export function assign(turn: Turn, { variableId, value, isSessionVariable }: Assignment): void {
  const { variables } = turn.currentFrame
  const declaration = variables.table.byId(variableId)
  if (!declaration) return
  const { name, sensitivity, isOfContact } = declaration
  const kept = fitted(turn, name, toValue(value, turn.budget.limits.variableLength))
  if (!hasRoom(turn, { name, value: kept, before: variables.changed.get(variableId) })) return
  // A former value is masked for the rest of the turn.
  if (sensitivity)
    turn.sensitive.push(...sensitiveTexts({ name, sensitivity }, variables.get(variableId) ?? null))
  turn.journal?.wrote(declaration, variables.get(variableId) ?? null, kept)
  variables.set(variableId, kept)
  if (isOfContact) remember(turn, name, kept)
  if (isSessionVariable) variables.sessionOnly.add(variableId)
}

/** Writes the first variable of a name; a name that the flow does not declare is remembered beside it. */
export function assignByName(
  turn: Turn,
  name: string,
  given: { value: Value; isSessionVariable: boolean },
): void {
  const { variables } = turn.currentFrame
  const [first] = variables.table.byName(name).candidates
  if (first) assign(turn, { variableId: first.id, ...given })
  else if (hasRoom(turn, { name, value: given.value, before: variables.inherited.get(name) })) {
    turn.journal?.wrote({ name }, variables.inherited.get(name) ?? null, given.value)
    variables.setByName(name, given.value)
  }
}

/** Characters of all that is remembered of one contact. */
const longestMemory = 16_384

/** Remembers a value for the contact, as far as there is room. */
function remember({ conversation: { memory }, output }: Turn, name: string, value: Value): void {
  if (!memory) return
  let length = name.length + valueLength(value)
  for (const [other, held] of memory.values) if (other !== name) length += other.length + valueLength(held)
  if (value !== null && length > longestMemory) {
    const description = `"${name}" is not remembered: the memory of a contact is limited to ${longestMemory} characters`
    output.log(visibleError({ description, context: 'Variables' }))
    return
  }
  memory.values.set(name, value)
  memory.written.add(name)
}

/** The value as far as one variable may hold it. */
function fitted(turn: Turn, name: string, value: Value): Value {
  const { variableLength } = turn.budget.limits
  if (value === null || valueLength(value) <= variableLength) return value
  turn.budget.limitsReached.push('variableLength')
  const description = `The value of "${name}" was cut to ${variableLength} characters`
  turn.output.log(visibleError({ description, context: 'Variables' }))
  return cut(value, variableLength)
}

/** Whether a value has room beside all others of the session, in the place of what was there before. */
function hasRoom(
  turn: Turn,
  { name, value, before = null }: { name: string; value: Value; before: Value | undefined },
): boolean {
  const { variablesLength } = turn.budget.limits
  const grown = valueLength(value) - valueLength(before)
  if (grown <= 0 || heldVariablesLength(turn) + grown <= variablesLength) return true
  turn.budget.limitsReached.push('variablesLength')
  const description = `"${name}" was not written: all variables together are limited to ${variablesLength} characters`
  turn.output.log(visibleError({ description, context: 'Variables' }))
  return false
}

/** Characters of all variables of the session. */
export function heldVariablesLength({ conversation: { frames } }: Turn): number {
  // A flow that linked to itself has its variables in two frames.
  const owners = frames.filter(({ variables }, index) => variables !== frames[index - 1]?.variables)
  return owners.reduce((sum, { variables }) => sum + variables.length, 0)
}

/** Cuts a value to a number of characters. */
function cut(value: Exclude<Value, null>, length: number): Value {
  if (typeof value === 'string') return value.slice(0, length).toWellFormed()
  const kept: (string | null)[] = []
  let left = length
  for (const element of value) {
    left -= valueToText(element).length + 1
    if (left < 0) break
    kept.push(element)
  }
  return kept
}

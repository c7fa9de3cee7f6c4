import { isFilled, type Value } from '../../engine/values/value.ts'
import { Variables, type VariableTable } from '../../engine/values/variables.ts'

/**
 * The values of a conversation under another version's declarations (docs/behaviour/walk.md, "Updating a running
 * session"). Every variable that both versions declare keeps its value, also one that was only declared and never
 * written. What this version does not declare goes to its namesake, and without one stays readable by its name.
 */
export function migrateVariables(before: Variables, table: VariableTable): Variables {
  const kept = [...before.sessionOnly].filter((id) => table.byId(id) !== undefined)
  const after = new Variables(table, [], [], kept)
  const unplaced: UnplacedValue[] = []
  for (const [{ id, name, isSessionVariable }, value] of before.entries()) {
    const declared = table.byId(id)
    if (!declared) {
      unplaced.push({ name, value, isSessionVariable: isSessionVariable || before.sessionOnly.has(id) })
    } else if (before.changed.has(id) || !isSame(declared.initial, value)) after.set(id, value)
  }
  for (const [name, value] of before.inherited) unplaced.push({ name, value, isSessionVariable: false })
  for (const entry of unplaced) if (isFilled(entry.value)) place(entry, before, after)
  return after
}

interface UnplacedValue {
  readonly name: string
  readonly value: Value
  readonly isSessionVariable: boolean
}

/** Gives a value a place that it can be read from by its name, unless something else is read there. */
function place({ name, value, isSessionVariable }: UnplacedValue, before: Variables, after: Variables): void {
  const [namesake] = after.table.byName(name).candidates
  if (!namesake) {
    if (!after.inherited.has(name)) after.setByName(name, value)
    return
  }
  const { id } = namesake
  const isUntouched = before.table.byId(id) === undefined && !after.changed.has(id)
  if (!isUntouched && isFilled(after.get(id))) return
  after.set(id, value)
  if (isSessionVariable) after.sessionOnly.add(id)
}

const isSame = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other)

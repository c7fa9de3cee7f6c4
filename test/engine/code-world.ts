import { BudgetSpent } from '../../src/engine/limits.ts'
import type { Scope } from '../../src/engine/scope.ts'
import type { Value } from '../../src/engine/value.ts'
import { Variables, VariableTable } from '../../src/engine/variables.ts'

/** Variables by name, and a scope to evaluate in. The id of `Name` is `vName` unless one is given. */
export function worldOf(values: Record<string, Value>, ids: Record<string, string> = {}, characters = 1e6) {
  const table = new VariableTable(
    Object.entries(values).map(([name, value]) => ({
      id: ids[name] ?? `v${name}`,
      name,
      value: value as string | (string | null)[] | null,
    })),
  )
  const variables = new Variables(table)
  let left = characters
  const scope: Scope = {
    variables,
    log: () => {},
    spend: (count) => {
      left -= count
      if (!(left >= 0)) throw new BudgetSpent('too many characters')
    },
  }
  return { table, variables, scope }
}

/** The variables that the tables of cases are about. */
export const annsValues: Record<string, Value> = {
  Name: 'Ann',
  Num: '5',
  List: ['a', 'b'],
  NL: ['a', null],
  Zip: '01234',
  Tpl: '{{Name}}',
  Unset: null,
  'First name': 'Ada',
}

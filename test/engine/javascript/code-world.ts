import { createScope } from '../../../src/engine/javascript/evaluate.ts'
import type { CodeJob, CodeResult } from '../../../src/engine/model/effect-payloads.ts'
import type { Effects } from '../../../src/engine/model/effects.ts'
import { LimitExceeded } from '../../../src/engine/model/limits.ts'
import type { Scope } from '../../../src/engine/model/scope.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'

/** Stands in for the sandbox: the code is that of the tests themselves. */
export function runInHost({ body, globals }: CodeJob): CodeResult {
  const names = globals.map(([name]) => name)
  try {
    const value = new Function(...names, body)(...globals.map(([, value]) => value))
    return { ok: true, value, assigned: [] }
  } catch (error) {
    return { ok: false, message: String(error), reason: 'thrown' }
  }
}

/** Answers what asks for nothing but code. */
export function settleCode<Result>(effects: Effects<Result>, sandbox: (job: CodeJob) => CodeResult): Result {
  let step = effects.next()
  while (!step.done) {
    if (step.value.type !== 'evaluate') throw new Error(`no answer to the effect "${step.value.type}"`)
    step = effects.next(step.value.jobs.map(sandbox))
  }
  return step.value
}

/** Variables by name, and a scope to evaluate in. The id of `Name` is `vName` unless one is given. */
export function worldOf(values: Record<string, Value>, ids: Record<string, string> = {}, characters = 1e6) {
  const table = new VariableTable(
    Object.entries(values).map(([name, value]) => ({
      id: ids[name] ?? `v${name}`,
      name,
      // Nothing, as it is for a variable that is declared without a value.
      ...(value !== null && { value: value as string | (string | null)[] }),
    })),
  )
  const variables = new Variables(table)
  let left = characters
  const scope: Scope = createScope({
    variables,
    log: () => {},
    spend: (count) => {
      left -= count
      if (!(left >= 0)) throw new LimitExceeded('charactersPerTurn', 'too many characters')
    },
  })
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

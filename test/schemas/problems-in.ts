import { createChecker } from '../../src/definition/lazy-validator.ts'
import { toProblems } from '../../src/definition/problems.ts'
import type { Problem } from '../../src/errors.ts'

const check = createChecker({ FlowDefinition: { type: 'object' } })

/** What the service says is wrong with a value. */
export function problemsIn(schema: object, value: unknown): readonly Problem[] {
  return toProblems(check(schema).errorsOf(value))
}

import { createLazyValidator } from '../../src/definition/lazy-validator.ts'
import { toProblems } from '../../src/definition/problems.ts'
import type { Problem } from '../../src/lib/errors.ts'

// A checker for each schema: one that has compiled a flow knows the ids of all schemas in it, and takes none of them twice.
const checkers = new WeakMap<object, ReturnType<typeof createLazyValidator>>()

/** What the service says is wrong with a value. */
export function problemsIn(schema: object, value: unknown): readonly Problem[] {
  const check = checkers.get(schema) ?? createLazyValidator({ FlowDefinition: { type: 'object' } })
  checkers.set(schema, check)
  return toProblems(check(schema).errorsOf(value))
}

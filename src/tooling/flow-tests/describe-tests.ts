import type { TestFlowResponse } from '../../../schemas/test-flow.ts'
import type { TestReport } from './run-tests.ts'

/** Outcome of tests, as other tools read it. `placeOf` gives the place of a pointer in the text of the tests. */
export function describeTests(
  { tests, unusedMocks, coverage }: TestReport,
  placeOf?: ((pointer: string) => string) | undefined,
): TestFlowResponse {
  const at = (pointer: string) => ({ pointer, ...(placeOf && { place: placeOf(pointer) }) })
  return {
    tests: tests.map(({ name, pointer, outcome, failures, notes, ms }) => ({
      name,
      ...at(pointer),
      outcome,
      failures: failures.map((failure) => ({ ...at(failure.pointer), message: failure.message })),
      notes: [...notes],
      ms: Math.round(ms * 1000) / 1000,
    })),
    unusedMocks: [...unusedMocks],
    coverage: coverage.summary,
  }
}

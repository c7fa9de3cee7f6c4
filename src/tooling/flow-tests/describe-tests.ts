import type { TestFlowResponse } from '../../../schemas/test-flow.ts'
import type { TestFailure } from './run-steps.ts'
import type { TestReport } from './run-tests.ts'

/** Places in texts, by pointers; undefined for what came as an object. */
interface TextPlaces {
  readonly inTests?: ((pointer: string) => string) | undefined
  readonly inFlow?: ((pointer: string) => string) | undefined
}

/** Outcome of tests, as other tools read it. */
export function describeTests(
  { tests, unusedMocks, coverage }: TestReport,
  { inTests, inFlow }: TextPlaces,
): TestFlowResponse {
  const at = (pointer: string) => ({ pointer, ...(inTests && { place: inTests(pointer) }) })
  const wayOf = (way: NonNullable<TestFailure['way']>) =>
    way.map((point) => ({
      ...point,
      went: [...point.went],
      ...(inFlow && { place: inFlow(point.pointer) }),
    }))
  return {
    tests: tests.map(({ name, pointer, outcome, failures, notes, ms }) => ({
      name,
      ...at(pointer),
      outcome,
      failures: failures.map((failure) => ({
        ...at(failure.pointer),
        message: failure.message,
        ...(failure.way && { way: wayOf(failure.way) }),
      })),
      notes: [...notes],
      ms: Math.round(ms * 1000) / 1000,
    })),
    unusedMocks: [...unusedMocks],
    coverage: coverage.summary,
  }
}

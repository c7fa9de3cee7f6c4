import type { FlowCoverage } from '../../tooling/flow-tests/coverage.ts'
import type { TestReport } from '../../tooling/flow-tests/run-tests.ts'
import type { ReadTestFile } from './read-test-file.ts'

/** A file with what came of its tests. */
export interface TestedFile extends TestReport {
  readonly read: ReadTestFile
}

/** Coverage of one flow by all files together. */
export interface CoveredFlow extends FlowCoverage {
  readonly path: string
  readonly text: string
}

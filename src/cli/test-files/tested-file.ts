import type { FlowCoverage } from '../../tooling/flow-tests/coverage.ts'
import type { TestReport } from '../../tooling/flow-tests/run-tests.ts'
import type { ReadTestFile } from './read-test-file.ts'

/** A file with what came of its tests. */
export interface TestedFile extends TestReport {
  readonly read: ReadTestFile
}

/** What of a flow all files together have touched. */
export interface CoveredFlow extends FlowCoverage {
  readonly path: string
  readonly text: string
}

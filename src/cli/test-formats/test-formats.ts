import { describeTests } from '../../tooling/flow-tests/describe-tests.ts'
import type { TestedFile } from '../test-files/tested-file.ts'
import { githubTests } from './github-tests.ts'
import { junitTests } from './junit-tests.ts'
import { prettyTests } from './pretty-tests.ts'
import { tapTests } from './tap-tests.ts'

/** Writes what came of tests. */
type WriteTests = (files: readonly TestedFile[]) => string

/** Every way to write it, by its name on the command line. */
export const testFormats = {
  pretty: prettyTests,
  tap: tapTests,
  junit: junitTests,
  json: jsonTests,
  github: githubTests,
} as const satisfies Readonly<Record<string, WriteTests>>

function jsonTests(files: readonly TestedFile[]): string {
  const described = files.map(({ read, ...report }) => ({
    path: read.path,
    flow: read.flowPath,
    ...describeTests(report, read.placeOf),
  }))
  return `${JSON.stringify({ files: described }, null, 2)}\n`
}

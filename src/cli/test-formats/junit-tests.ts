import { escapeXml } from '../output/escape-xml.ts'
import type { TestedFile } from '../test-files/tested-file.ts'

/** For CI systems: a suite for each file, a case for each test. */
export function junitTests(files: readonly TestedFile[]): string {
  const all = files.flatMap(({ tests }) => tests)
  const counts = countsOf(all)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flow-runtime test" ${counts}>`,
    ...files.map(suiteOf),
    '</testsuites>',
    '',
  ].join('\n')
}

function countsOf(tests: TestedFile['tests']): string {
  const count = (outcome: string) => tests.filter((test) => test.outcome === outcome).length
  return `tests="${tests.length}" failures="${count('failed')}" errors="0" skipped="${count('not run')}" time="${secondsOf(tests)}"`
}

const secondsOf = (tests: readonly { readonly ms: number }[]) =>
  (tests.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(4)

function suiteOf({ read, tests }: TestedFile): string {
  const path = escapeXml(read.path)
  const cases = tests.map((test) => {
    const head = `    <testcase classname="${path}" name="${escapeXml(test.name)}" time="${secondsOf([test])}"`
    if (test.outcome === 'passed') return `${head}/>`
    if (test.outcome === 'not run') return `${head}><skipped/></testcase>`
    const lines = test.failures.map(
      ({ pointer, message }) => `${read.path}:${read.placeOf(pointer)} ${message}`,
    )
    const message = escapeXml(test.failures[0]?.message ?? '')
    return `${head}><failure message="${message}">${escapeXml(lines.join('\n'))}</failure></testcase>`
  })
  return [`  <testsuite name="${path}" ${countsOf(tests)}>`, ...cases, '  </testsuite>'].join('\n')
}

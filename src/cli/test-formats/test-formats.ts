import { describeTests } from '../../tooling/flow-tests/describe-tests.ts'
import type { TestFailure } from '../../tooling/flow-tests/run-steps.ts'
import { fileLineColumn, lineColumn } from '../input/flow-source.ts'
import { escapeXml, oneLine } from '../output/plain-text.ts'
import { workflowCommand } from '../output/workflow-command.ts'
import type { TestedFile } from '../test-files/read-test-file.ts'

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
  const described = files.map(({ read, flow, ...report }) => ({
    path: read.path,
    flow: read.flowPath,
    ...describeTests(report, {
      inTests: read.placeOf,
      inFlow: flow && ((pointer) => lineColumn(flow.rangeOf(pointer))),
    }),
  }))
  return `${JSON.stringify({ files: described }, null, 2)}\n`
}

const marks = { passed: '✓', failed: '✗', 'not run': '-' } as const

/** A line for a step that does not hold, and one for each of the blocks that led there, with their places. */
function linesOfFailure(
  { pointer, message, way }: TestFailure,
  { read, flow }: Pick<TestedFile, 'read' | 'flow'>,
): string[] {
  return [`${read.path}:${read.placeOf(pointer)} ${oneLine(message)}`, ...linesOfWay(way, flow)]
}

function linesOfWay(way: TestFailure['way'] = [], flow: TestedFile['flow']): string[] {
  if (!flow) return []
  return way.map(({ pointer, blockType, went }) =>
    oneLine(
      `${fileLineColumn(flow.path, flow.rangeOf(pointer))} ${[blockType, went.join(', ')].filter(Boolean).join(': ')}`,
    ),
  )
}

/** For people: each test in a line, and what failed with its place. */
function prettyTests(files: readonly TestedFile[]): string {
  const all = files.flatMap(({ tests }) => tests)
  const count = (outcome: keyof typeof marks) => all.filter((test) => test.outcome === outcome).length
  const ms = all.reduce((sum, test) => sum + test.ms, 0)
  const skipped = count('not run') > 0 ? `, ${count('not run')} not run` : ''
  const summary = `${count('passed')} passed, ${count('failed')} failed${skipped} in ${Math.round(ms)} ms\n`
  return [...files.map(sectionOf), summary].join('\n')
}

function sectionOf({ read, flow, tests, unusedMocks }: TestedFile): string {
  const lines = tests.flatMap(({ name, outcome, failures, notes }) => [
    `  ${marks[outcome]} ${oneLine(name)}`,
    ...failures.flatMap((failure) => {
      const [first, ...way] = linesOfFailure(failure, { read, flow })
      return [`      ${first}`, ...way.map((line) => `        ${line}`)]
    }),
    ...notes.map((note) => `      ${oneLine(note)}`),
  ])
  const unused = unusedMocks.map(
    (rule) => `  ! ${read.path}:${read.placeOf(rule)} ${describeUnusedMock(rule)}`,
  )
  return [read.path, ...lines, ...unused, ''].join('\n')
}

/** Test Anything Protocol, version 13. */
function tapTests(files: readonly TestedFile[]): string {
  const all = files.flatMap(({ read, flow, tests }) => tests.map((test) => ({ read, flow, ...test })))
  const lines = all.flatMap(({ read, flow, name, outcome, failures }, index) => {
    const result = outcome === 'failed' ? 'not ok' : 'ok'
    // A number sign would begin a directive.
    const title = oneLine(`${read.path}: ${name}`).replaceAll('#', '\\#')
    const head = `${result} ${index + 1} - ${title}${outcome === 'not run' ? ' # SKIP' : ''}`
    if (failures.length === 0) return [head]
    const items = failures
      .flatMap((failure) => linesOfFailure(failure, { read, flow }))
      .map((line) => `    - ${JSON.stringify(line)}`)
    return [head, '  ---', '  failures:', ...items, '  ...']
  })
  return ['TAP version 13', `1..${all.length}`, ...lines, ''].join('\n')
}

/** For GitHub Actions: a workflow command for each failure and each mock that never fitted, which it shows at its line. */
function githubTests(files: readonly TestedFile[]): string {
  return files.flatMap(commandsOf).join('')
}

function commandsOf({ read, flow, tests, unusedMocks }: TestedFile): string[] {
  const at = (pointer: string) => {
    const [line = '1', col = '1'] = read.placeOf(pointer).split(':')
    return { file: read.path, line, col }
  }
  const failed = tests.flatMap(({ name, failures }) =>
    failures.map(({ pointer, message, way }) => {
      const lines = [message, ...linesOfWay(way, flow)]
      return workflowCommand('error', { ...at(pointer), title: name }, lines.join('\n'))
    }),
  )
  const unused = unusedMocks.map((rule) => workflowCommand('warning', at(rule), describeUnusedMock(rule)))
  return [...failed, ...unused]
}

/** For CI systems: a suite for each file, a case for each test. */
function junitTests(files: readonly TestedFile[]): string {
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

function suiteOf({ read, flow, tests }: TestedFile): string {
  const path = escapeXml(read.path)
  const cases = tests.map((test) => {
    const head = `    <testcase classname="${path}" name="${escapeXml(test.name)}" time="${secondsOf([test])}"`
    if (test.outcome === 'passed') return `${head}/>`
    if (test.outcome === 'not run') return `${head}><skipped/></testcase>`
    const lines = test.failures.flatMap((failure) => linesOfFailure(failure, { read, flow }))
    const message = escapeXml(test.failures[0]?.message ?? '')
    return `${head}><failure message="${message}">${escapeXml(lines.join('\n'))}</failure></testcase>`
  })
  return [`  <testsuite name="${path}" ${countsOf(tests)}>`, ...cases, '  </testsuite>'].join('\n')
}

/** The message about a rule that no test has used. */
const describeUnusedMock = (rule: string): string =>
  `the mock ${rule} never fitted: look at its "match", and at the rules before it`

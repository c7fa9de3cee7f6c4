import { oneLine } from '../output/plain-text.ts'
import type { TestedFile } from '../test-files/tested-file.ts'
import { describeUnusedMock } from './unused-mocks.ts'

const marks = { passed: '✓', failed: '✗', 'not run': '-' } as const

/** For people: each test in a line, and what failed with its place. */
export function prettyTests(files: readonly TestedFile[]): string {
  const all = files.flatMap(({ tests }) => tests)
  const count = (outcome: keyof typeof marks) => all.filter((test) => test.outcome === outcome).length
  const ms = all.reduce((sum, test) => sum + test.ms, 0)
  const skipped = count('not run') > 0 ? `, ${count('not run')} not run` : ''
  const summary = `${count('passed')} passed, ${count('failed')} failed${skipped} in ${Math.round(ms)} ms\n`
  return [...files.map(sectionOf), summary].join('\n')
}

function sectionOf({ read, tests, unusedMocks }: TestedFile): string {
  const lines = tests.flatMap(({ name, outcome, failures, notes }) => [
    `  ${marks[outcome]} ${oneLine(name)}`,
    ...failures.map(
      ({ pointer, message }) => `      ${read.path}:${read.placeOf(pointer)} ${oneLine(message)}`,
    ),
    ...notes.map((note) => `      ${oneLine(note)}`),
  ])
  const unused = unusedMocks.map(
    (rule) => `  ! ${read.path}:${read.placeOf(rule)} ${describeUnusedMock(rule)}`,
  )
  return [read.path, ...lines, ...unused, ''].join('\n')
}

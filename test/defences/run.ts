import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listThreatTests } from '../threats/table.ts'
import { applyEdit } from './apply.ts'
import { type Defence, defences } from './defences.ts'

/**
 * Switches off each defence in turn, in a copy of the project, and expects the test of its threat to fail: a test that
 * stays green proves nothing. Words on the command line choose the threats that have any of them in their names.
 */
const root = join(import.meta.dirname, '../..')

/** A test that hangs without its defence has failed too. */
const longestMs = { one: 60_000, all: 600_000 }

/** Read once: what is tested is the copy, whatever becomes of the project meanwhile. */
const tests = listThreatTests()

const chosen = process.argv.slice(2)
const isChosen = ({ threat }: Defence) =>
  chosen.length === 0 || chosen.some((words) => threat.includes(words))
const wanted = defences.filter(isChosen)
if (wanted.length === 0) throw new Error(`No threat has any of these in its name: ${chosen.join(', ')}`)

const notCopied = new Set(['node_modules', 'dist', 'coverage', '.git'])

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'defences-'))
  cpSync(root, copy, { recursive: true, filter: (path) => !notCopied.has(path.slice(root.length + 1)) })
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'))
  return copy
}

type Outcome = 'red' | 'green' | 'hung' | 'not run'

/** How the test of a threat ends in the copy. */
async function runTest(copy: string, threat: string): Promise<Outcome> {
  const file = tests.find(({ title }) => title === threat)?.file
  if (!file) return 'not run'
  const name = threat.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return outcomeIn(await runTests(copy, longestMs.one, [file, '-t', name]), threat)
}

type Results = readonly { readonly title: string; readonly status: string }[]

/** How each test ends in the copy; undefined when that takes too long. */
async function runTests(
  copy: string,
  limitMs: number,
  given: readonly string[],
): Promise<Results | undefined> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const all = ['run', ...given, '--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, [vitest, ...all], { cwd: copy, stdio: 'ignore', detached: true })
  let isHung = false
  const limit = setTimeout(() => {
    isHung = true
    // With the processes that it has started.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, limitMs)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(limit)
  return isHung ? undefined : readReport(report)
}

/** A file that can't even be loaded has run no test. */
function readReport(path: string): Results {
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as {
    testResults: readonly { assertionResults: Results }[]
  }
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

function outcomeIn(results: Results | undefined, threat: string): Outcome {
  if (!results) return 'hung'
  const status = results.find(({ title }) => title === threat)?.status
  if (status === 'failed') return 'red'
  return status === 'passed' ? 'green' : 'not run'
}

/** Runs something with a defence switched off. Throws when its edits do not fit. */
async function without<T>({ edits }: Defence, copy: string, work: () => Promise<T>): Promise<T> {
  const files = [...new Set(edits.map(({ file }) => file))]
  const originals = files.map((file) => [file, readFileSync(join(copy, file), 'utf8')] as const)
  try {
    for (const edit of edits) {
      const path = join(copy, edit.file)
      writeFileSync(path, applyEdit(readFileSync(path, 'utf8'), edit))
    }
    return await work()
  } finally {
    for (const [file, text] of originals) writeFileSync(join(copy, file), text)
  }
}

const copy = copyProject()
let failures = 0

function tell(isRight: boolean, outcome: string, threat: string): void {
  if (!isRight) failures += 1
  console.log(`${isRight ? 'ok  ' : 'FAIL'}  ${outcome.padEnd(8)}  ${threat}`)
}

try {
  console.log('With its defence, each test is to be green:')
  const results = await runTests(copy, longestMs.all, ['test/threats'])
  for (const threat of new Set(wanted.map((defence) => defence.threat))) {
    const outcome = outcomeIn(results, threat)
    tell(outcome === 'green', outcome, threat)
  }
  console.log('Without it, red, or hung:')
  for (const defence of wanted) {
    const outcome = await without(defence, copy, () => runTest(copy, defence.threat)).catch(String)
    const files = [...new Set(defence.edits.map(({ file }) => file))].join(', ')
    tell(outcome === 'red' || outcome === 'hung', outcome, `${defence.threat} (${files})`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(failures === 0 ? 'Every defence is proven.' : `${failures} not as expected.`)
process.exitCode = failures === 0 ? 0 : 1

import type { Flow } from '../../../schemas/flow.ts'
import type { FlowTest, FlowTestFile } from '../../../schemas/flow-test.ts'
import type { Mocks } from '../../../schemas/mocks.ts'
import type { TurnDependencies } from '../../conversations/dependencies.ts'
import { MockWorld } from '../../conversations/effects/mocks/mock-world.ts'
import type { Program } from '../../engine/model/program.ts'
import { createCoverage, type FlowCoverage } from './coverage.ts'
import { exploreFlow } from './explore.ts'
import { compareTranscripts, transcribe } from './golden.ts'
import { type FlowMap, mapOf, wayOf } from './path.ts'
import { mocksOf } from './read-tests.ts'
import { missedIn, runSteps, type TestFailure } from './run-steps.ts'
import { type PlayedTurn, TestConversation } from './test-conversation.ts'

interface TestTerms {
  readonly flow: Flow
  readonly program: Program
  readonly deps: TurnDependencies
  /** Whether links lead to published flows. */
  readonly isTrusted: boolean
  /** Whether messages may be shown that a test does not name. */
  readonly isLoose?: boolean
  readonly only?: string | undefined
  /** Asked for each of those in turn: whether it is to be run. */
  takes?(): boolean
  /** Whether to stop at the first that fails. */
  readonly isBailing?: boolean
  /** Conversations of one `explore`. */
  readonly mostWays: number
  /** Undefined where there are no transcripts. */
  readonly goldens?: GoldenFiles | undefined
  /** Lets others be served; whether the time for all of it is over. */
  yieldToEventLoop(): Promise<boolean>
}

/** The transcripts beside a file of tests. */
interface GoldenFiles {
  /** Undefined for one that is not there. */
  read(name: string): Promise<string | undefined>
  /** Keeps what was written; undefined where transcripts are only compared. */
  readonly write?: ((name: string, text: string) => Promise<void>) | undefined
}

interface TestResult {
  readonly name: string
  /** Into the file of tests. */
  readonly pointer: string
  readonly outcome: 'passed' | 'failed' | 'not run'
  readonly failures: readonly TestFailure[]
  /** Remarks that fail no test. */
  readonly notes: readonly string[]
  readonly ms: number
}

export interface TestReport {
  readonly tests: readonly TestResult[]
  /** Rules that no test used: most are misspelt. */
  readonly unusedMocks: readonly string[]
  readonly coverage: FlowCoverage
}

/** Runs the tests of a file that `problemsOfTests` finds nothing wrong with. */
export async function runTests(file: FlowTestFile, terms: TestTerms): Promise<TestReport> {
  const { flow, program, deps } = terms
  const map = mapOf(flow)
  const coverage = createCoverage(flow, program, map)
  const tests: TestResult[] = []
  const used = new Set<string>()
  const mocks = mocksOf(file)
  const asked = { file, mocks, map, coverage, used }
  let isOver = false
  for (const [index, test] of file.tests.entries()) {
    if (terms.only !== undefined && !test.tags?.includes(terms.only)) continue
    if (terms.takes?.() === false) continue
    const named = { name: test.name, pointer: `/tests/${index}` }
    const isSkipped = terms.isBailing && tests.some(({ outcome }) => outcome === 'failed')
    isOver ||= await terms.yieldToEventLoop()
    if (isSkipped || isOver) {
      tests.push({ ...named, outcome: 'not run', failures: [], notes: [], ms: 0 })
      continue
    }
    const began = deps.ports.elapsed()
    const { failures, notes } = await runTest(test, named.pointer, { ...asked, terms })
    const ms = deps.ports.elapsed() - began
    tests.push({ ...named, outcome: failures.length > 0 ? 'failed' : 'passed', failures, notes, ms })
  }
  const all = new MockWorld({ rules: mocksOf(file) }).unused
  const wereAllRun = tests.length === file.tests.length && tests.every(({ outcome }) => outcome !== 'not run')
  return {
    tests,
    unusedMocks: wereAllRun
      ? all.map((rule) => rule.replace('/mocks', '')).filter((rule) => !used.has(rule))
      : [],
    coverage: coverage.result,
  }
}

interface TestSetup {
  readonly file: FlowTestFile
  readonly mocks: Mocks
  readonly map: FlowMap
  readonly coverage: ReturnType<typeof createCoverage>
  readonly used: Set<string>
  readonly terms: TestTerms
}

interface GoldenSetup extends Pick<TestSetup, 'terms' | 'map'> {
  open(): TestConversation
  onTurn(turn: PlayedTurn): void
}

interface Outcome {
  readonly failures: readonly TestFailure[]
  readonly notes: readonly string[]
}

async function runTest(test: FlowTest, pointer: string, asked: TestSetup): Promise<Outcome> {
  const { terms, file, map, coverage, used } = asked
  const mocks = test.random ? { ...asked.mocks, random: test.random } : asked.mocks
  const { program, deps, isTrusted, flow, mostWays, yieldToEventLoop } = terms
  const open = (world = mocks, first: Readonly<Record<string, unknown>> = {}) => {
    const vars = { ...file.vars, ...test.vars, ...first }
    const { locale = file.locale, contact = file.contact } = test
    return new TestConversation({ program, mocks: world, vars, contact, locale, isTrusted, deps })
  }
  let last: PlayedTurn | undefined
  const onTurn = (turn: PlayedTurn) => {
    last = turn
    coverage.add(turn)
    for (const rule of turn.usedRules) used.add(rule)
  }
  if (test.steps) {
    const stepTerms = { conversation: open(), map, isLoose: terms.isLoose === true, onTurn, yieldToEventLoop }
    const failures = await runSteps(test.steps, `${pointer}/steps`, stepTerms)
    const way = last && wayOf(last, map)
    return { failures: failures.map((failure) => ({ ...failure, ...(way && { way }) })), notes: [] }
  }
  if (test.golden !== undefined)
    return runGolden({ ...test, golden: test.golden }, pointer, { open, onTurn, terms, map })
  const { expect = {}, explore = {} } = test
  const world = { flow, map, mocks, expect, pointer, mostWays, open, onTurn, yieldToEventLoop }
  const { failures, notes, ways, isCut } = await exploreFlow(explore, world)
  const more = isCut ? [`${ways} ways were walked; there are more`] : [`${ways} ways`]
  return { failures, notes: [...more, ...notes] }
}

async function runGolden(
  { golden, says = [] }: FlowTest & { readonly golden: string },
  pointer: string,
  { open, onTurn, terms, map }: GoldenSetup,
): Promise<Outcome> {
  const at = `${pointer}/golden`
  const { goldens } = terms
  if (!goldens)
    return { failures: [{ pointer: at, message: 'there are no transcripts here: use steps' }], notes: [] }
  const missed: TestFailure[] = []
  const watch = (turn: PlayedTurn) => {
    onTurn(turn)
    const message = missedIn(turn)
    if (message !== undefined) missed.push({ pointer: at, message, way: wayOf(turn, map) })
  }
  const written = await transcribe(open(), says, { pointer: `${pointer}/says`, onTurn: watch })
  const failures = [...written.failures, ...missed]
  if (failures.length > 0) return { failures, notes: [] }
  if (goldens.write) {
    await goldens.write(golden, written.text)
    return { failures: [], notes: [] }
  }
  const kept = await goldens.read(golden)
  if (kept === undefined)
    return {
      failures: [{ pointer: at, message: `there is no ${golden} yet: --update writes it` }],
      notes: [],
    }
  const changed = compareTranscripts(kept, written)
  if (!changed) return { failures: [], notes: [] }
  const { message, turn } = changed
  return { failures: [{ pointer: at, message, ...(turn && { way: wayOf(turn, map) }) }], notes: [] }
}

import type { FlowTestFile } from '../../../schemas/flow-test.ts'
import type { TestFlowBody, TestFlowResponse } from '../../../schemas/test-flow.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { parseRedacted } from '../../conversations/effects/redact-secrets.ts'
import { createRequestDeadline } from '../../conversations/turn/request-deadline.ts'
import { withTurnLimits } from '../../conversations/turn/run-turn.ts'
import { invalidInput, type Problem, placeProblems, tooManyHeavy } from '../../lib/errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { YamlReader } from '../../ports/yaml-reader-port.ts'
import { BudgetedWork } from '../validate/budgeted-work.ts'
import { describeTests } from './describe-tests.ts'
import { placeIn, problemsOfTests } from './read-tests.ts'
import { runTests } from './run-tests.ts'

interface TestFlowRequest {
  readonly caller: Caller
  readonly body: TestFlowBody
}

interface FlowTestsDependencies {
  readonly chat: ChatDependencies
  readonly yaml: YamlReader
  /** Milliseconds for all tests of a request, with what they wait for. */
  readonly limitMs: number
}

/** Conversations of one `explore`. */
const mostWays = 1000

export type FlowTests = ReturnType<typeof createFlowTests>

/** Tests of drafts that requests send. */
export function createFlowTests(deps: FlowTestsDependencies) {
  return {
    /** Holds the conversations of tests with a flow (docs/api.md 4.22). Throws `ServiceError`. */
    run: (request: TestFlowRequest) => testDraft(request, deps),
  }
}

async function testDraft(
  { caller, body }: TestFlowRequest,
  { chat, yaml, limitMs }: FlowTestsDependencies,
): Promise<TestFlowResponse> {
  const isTrusted = caller.kind === 'preview'
  const deps = withTurnLimits({ kind: 'preview', isTrusted }, chat)
  const { file, placeOf } = await readTests(body.tests, yaml)
  const { flow, program } = await readFlow(body.flow, deps)
  const report = await runTests(file, {
    flow,
    program,
    deps,
    isTrusted,
    only: body.only,
    isLoose: body.loose === true,
    isBailing: body.bail === true,
    mostWays,
    yieldToEventLoop: createRequestDeadline(deps, limitMs),
  })
  return describeTests(report, { inTests: placeOf })
}

interface ReadTests {
  readonly file: FlowTestFile
  readonly placeOf: ((pointer: string) => string) | undefined
}

async function readTests(tests: TestFlowBody['tests'], yaml: YamlReader): Promise<ReadTests> {
  const { value, placeOf } = typeof tests === 'string' ? await readText(tests, yaml) : { value: tests }
  const problems = problemsOfTests(value).map(({ pointer, message }) => ({
    pointer: `/tests${pointer}`,
    message: placeOf ? `${message} (line ${placeOf(pointer)})` : message,
  }))
  if (problems.length > 0) throw refused(problems)
  return { file: value as FlowTestFile, placeOf }
}

async function readText(text: string, yaml: YamlReader) {
  const read = await yaml.read(text)
  if (!read) throw tooManyHeavy()
  if ('json' in read) {
    const parsed = parseRedacted(read.json, [])
    if (!parsed) throw refused([{ pointer: '/tests', message: 'holds more than is read' }])
    return { ...parsed, placeOf: (pointer: string) => placeIn(read.places, pointer) }
  }
  const at = read.place === undefined ? '' : ` (line ${read.place})`
  throw refused([{ pointer: '/tests', message: `${read.refusal}${at}` }])
}

async function readFlow(flow: unknown, deps: ChatDependencies) {
  try {
    return await new BudgetedWork(deps).run(deps.drafts.read(flow))
  } catch (error) {
    throw placeProblems(error, '/flow')
  }
}

const refused = (problems: readonly Problem[]) => invalidInput(problems)

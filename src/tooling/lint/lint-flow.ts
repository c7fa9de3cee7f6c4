import type { Flow } from '../../../schemas/flow.ts'
import type { FindingSummary } from '../../../schemas/flow-state.ts'
import type { Program } from '../../engine/model/program.ts'
import { lineOfProblem, type Problem } from '../../lib/errors.ts'
import { type FlowFinding, sentenceOf } from './finding.ts'
import { inspectModel } from './inspect-model.ts'
import { buildFlowModel, type FlowModel, type ModelSource } from './model/flow-model.ts'
import type { Surroundings } from './model/surroundings.ts'
import type { LintOptions } from './rule.ts'
import { rules } from './rules/index.ts'
import { invalidDefinition } from './rules/publication/remarks.ts'

/** A flow with what is found about it. */
export interface LintedFlow {
  readonly model: FlowModel
  readonly findings: readonly FlowFinding[]
}

/** Applies every rule to a flow that can be run. Pauses often enough for others to be served in between. */
export function* lintFlow(source: ModelSource, options: LintOptions = {}): Generator<void, LintedFlow> {
  const model = yield* buildFlowModel(source, options.isOver)
  const findings = yield* inspectModel(model, rules, options)
  return { model, findings }
}

/** The findings about a definition that can't be run: what a start would refuse it for. */
export function findingsOfProblems(problems: readonly Problem[]): FlowFinding[] {
  return problems.map((problem) => ({
    code: invalidDefinition.code,
    severity: 'error',
    message: refusalOf(problem),
    pointer: problem.pointer,
    related: [],
    docs: `docs/rules.md#${invalidDefinition.code}`,
  }))
}

function refusalOf(problem: Problem): string {
  const reason = `${lacksSubject(problem) ? 'it ' : ''}${lineOfProblem(problem)}`
  return `The definition is refused: ${reason}${reason.endsWith('?') ? '' : '.'}`
}

/** Whether a problem is one of the whole definition. Those of a text in YAML say themselves what they are about. */
const lacksSubject = ({ pointer, message }: Problem) => pointer === '' && /^(?:must|is|has) /.test(message)

/** Takes the steps of some work, and lets others be served whenever `yieldToEventLoop` returns something to wait for. */
async function byTurns<Result>(
  work: Generator<void, Result>,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<Result> {
  let step = work.next()
  while (!step.done) {
    const wait = yieldToEventLoop()
    if (wait) await wait
    step = work.next()
  }
  return step.value
}

/** Takes all the steps of some work in one go. */
export function inOneGo<Result>(work: Generator<void, Result>): Result {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/**
 * Finds what is wrong or probably wrong with a flow that is published, in the place of what is served by then; what is only
 * worth a look is left out.
 */
export async function inspectPublication(
  published: { readonly flow: Flow; readonly program: Program },
  yieldToEventLoop: () => Promise<void> | undefined,
  served?: Surroundings['served'],
): Promise<readonly FindingSummary[]> {
  // Links may lead to files that are published a moment later.
  const source = { ...published, definition: published.flow, surroundings: { served } }
  const { findings } = await byTurns(lintFlow(source, { minSeverity: 'warning' }), yieldToEventLoop)
  return findings.flatMap(toPublished)
}

function toPublished(finding: FlowFinding): FindingSummary[] {
  const { severity, code, pointer, blockId } = finding
  if (severity === 'info') return []
  return [{ severity, code, pointer, ...(blockId !== undefined && { blockId }), hint: sentenceOf(finding) }]
}

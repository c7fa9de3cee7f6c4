import type { ValidateFlowBody, ValidatePublishedBody } from '../../../schemas/validate-flow.ts'
import type { ChatDependencies, PreviewSource } from '../../conversations/dependencies.ts'
import type { ReadDraft } from '../../conversations/session/program-cache.ts'
import { withTurnLimits } from '../../conversations/turn/run-turn.ts'
import { parseDefinition } from '../../definition/parse-definition.ts'
import { excessOfJsonText } from '../../engine/values/json-excess.ts'
import { invalidInput, ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { FlowFinding } from '../lint/finding.ts'
import { type FlowReport, reportOn, reportOnRefused } from '../lint/flow-report.ts'
import { findingsOfProblems, lintFlow } from '../lint/lint-flow.ts'
import type { ModelSource } from '../lint/model/flow-model.ts'
import { neighbourOf } from '../lint/model/neighbours.ts'
import { findRanges } from '../lint/model/source-ranges.ts'
import { type NeighbourFlow, type Surroundings, unknownSurroundings } from '../lint/model/surroundings.ts'
import { rulesByCode } from '../lint/rules/index.ts'
import { BudgetedWork } from './budgeted-work.ts'

interface ValidateRequest {
  readonly caller: Caller
  readonly body: ValidateFlowBody
}

interface ValidatePublishedRequest {
  readonly publicId: string
  readonly body: ValidatePublishedBody
}

/**
 * Checks a definition (docs/api.md 4.17), whatever is wrong with it: what a start would refuse is a finding. It takes as
 * long as a turn of a preview may, and keeps nothing. Throws BAD_REQUEST for a rule that does not exist.
 */
export async function validateFlow(request: ValidateRequest, deps: ChatDependencies): Promise<FlowReport> {
  const { source: text, rules, minSeverity } = request.body
  refuseUnclear(request.body)
  refuseUnknownRules(rules)
  const isTrusted = request.caller.kind === 'preview'
  const work = new BudgetedWork(withTurnLimits({ kind: 'preview', isTrusted }, deps))
  const read = await readFlow(request.body, work, deps)
  if (read instanceof ServiceError) return reportOnRefused(findingsOfProblems(read.problems ?? []))
  const surroundings = await surroundingsFor(isTrusted, deps)
  const source: ModelSource = { ...read, surroundings }
  const linted = await work.run(lintFlow(source, { rules, minSeverity, isOver: () => work.isOver }))
  if (text === undefined) return reportOn(linted)
  const findings = await work.run(withRanges(linted.findings, text))
  return reportOn({ ...linted, findings })
}

/**
 * Checks what is published, also where it is closed or archived. Throws NOT_FOUND for what is not, and BAD_REQUEST for a
 * rule that does not exist.
 */
export async function validatePublished(
  { publicId, body: { rules, minSeverity } }: ValidatePublishedRequest,
  deps: ChatDependencies,
): Promise<FlowReport> {
  refuseUnknownRules(rules)
  const published = await deps.published.byPublicId(publicId)
  if (!published) throw new ServiceError('NOT_FOUND', 'Flow not found')
  const { flow, program } = published
  const work = new BudgetedWork(deps)
  const source = { definition: flow, flow, program, surroundings: await surroundingsFor(true, deps) }
  return reportOn(await work.run(lintFlow(source, { rules, minSeverity, isOver: () => work.isOver })))
}

function refuseUnknownRules(rules: ValidateRequest['body']['rules'] = {}): void {
  const problems = Object.keys(rules)
    .filter((code) => !rulesByCode.has(code))
    .slice(0, 20)
    .map((code) => ({
      pointer: `/rules/${code.slice(0, 100)}`,
      message: 'no rule has this code (docs/rules.md)',
    }))
  if (problems.length > 0) throw invalidInput(problems)
}

/** A flow comes as a part of the body, or as a text of its own, in which places have lines. */
function refuseUnclear({ flow, source }: ValidateRequest['body']): void {
  if ((flow === undefined) !== (source === undefined)) return
  const problems = [{ pointer: '', message: "must have either 'flow' or 'source'" }]
  throw invalidInput(problems)
}

function* withRanges(findings: readonly FlowFinding[], text: string): Generator<void, FlowFinding[]> {
  const rangeOf = yield* findRanges(
    text,
    findings.map(({ pointer }) => pointer),
  )
  return findings.map((finding) => ({ ...finding, range: rangeOf(finding.pointer) }))
}

async function readFlow(
  { flow, source }: ValidateRequest['body'],
  work: BudgetedWork,
  { drafts }: ChatDependencies,
): Promise<ReadDraft | ServiceError> {
  try {
    const definition = source === undefined ? flow : readSource(source)
    return { definition, ...(await work.run(drafts.read(definition))) }
  } catch (error) {
    if (error instanceof ServiceError && error.problems) return error
    throw error
  }
}

function readSource(text: string): unknown {
  const excess = excessOfJsonText(text)
  if (excess === undefined) return parseDefinition(text)
  const problems = [{ pointer: '', message: `must not hold ${excess}` }]
  throw invalidInput(problems)
}

/** Surroundings that a draft may know: for those who hold the preview token, the flows that are published. */
async function surroundingsFor(
  isTrusted: boolean,
  { published }: Pick<ChatDependencies, 'published'>,
): Promise<Surroundings> {
  if (!isTrusted) return unknownSurroundings
  const flows = await published.list()
  const byId = new Map(flows.toReversed().map((flow) => [flow.flow.id, flow]))
  const byPublicId = new Map(flows.toReversed().map((flow) => [flow.publicId, flow]))
  const known = new Map<string, NeighbourFlow | undefined>()
  return {
    findFlow(name) {
      if (known.has(name)) return known.get(name)
      const found = byId.get(name) ?? byPublicId.get(name)
      const neighbour = found && neighbourOf(found)
      known.set(name, neighbour)
      return neighbour
    },
  }
}

/** Checks the flow of a preview (docs/api.md 2.3), in the time of another turn. */
export async function findingsOfPreview(
  { body, sentBody, published }: PreviewSource,
  isTrusted: boolean,
  deps: ChatDependencies,
): Promise<readonly FlowFinding[]> {
  const work = new BudgetedWork(deps)
  const read = published ?? (sentBody && (await work.run(deps.drafts.readDraft(body, sentBody))))
  if (!read) return []
  const surroundings = await surroundingsFor(isTrusted, deps)
  const source = { definition: read.flow, ...read, surroundings }
  const { findings } = await work.run(lintFlow(source, { isOver: () => work.isOver }))
  return findings
}

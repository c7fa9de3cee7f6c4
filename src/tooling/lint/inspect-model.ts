import { tokensOf, valueAt } from '../../lib/json-pointer.ts'
import { type FlowFinding, isAtLeast, type Severity } from './finding.ts'
import type { FlowModel } from './model/flow-model.ts'
import { type LintOptions, levelOf, type Report, type Rule, setLevelOf, severityOf } from './rule.ts'
import { notAllChecked, unusedSuppression } from './rules/publication/remarks.ts'
import { SuppressionIndex, suppressionsOf } from './suppressions.ts'

/** Findings of one flow, and characters of all of them: both grow with the definition. */
const most = { findings: 1_000, characters: 1_000_000 }

/** Characters of a message; names that it quotes can be as long as a definition. */
const longestMessage = 600

/** Collects what rules report, up to a bound. */
class Findings {
  readonly list: FlowFinding[] = []
  /** The bound that ended the inspection. */
  stoppedBy: string | undefined
  readonly #model: FlowModel
  readonly #options: LintOptions
  readonly #suppressions: SuppressionIndex
  #characters = 0

  constructor(model: FlowModel, options: LintOptions, suppressions: SuppressionIndex) {
    this.#model = model
    this.#options = options
    this.#suppressions = suppressions
  }

  add(rule: Rule, report: Report): void {
    if (this.isFull || this.#suppressions.covers(rule.code, report.pointer)) return
    const severity = severityOf(rule, report.severity, this.#options)
    if (!isAtLeast(severity, this.#options.minSeverity ?? 'info')) return
    const finding = findingOf(rule, severity, { report, ids: idsAt(report.pointer, this.#model) })
    this.#characters += JSON.stringify(finding).length
    const isTooMuch = this.list.length >= most.findings || this.#characters > most.characters
    if (isTooMuch) this.stop('There are more findings than are listed')
    else this.list.push(finding)
  }

  get isFull(): boolean {
    return this.stoppedBy !== undefined
  }

  stop(reason: string): void {
    this.stoppedBy ??= reason
  }
}

interface Reported {
  readonly report: Report
  readonly ids: Partial<FlowFinding>
}

function findingOf(rule: Rule, severity: Severity, { report, ids }: Reported): FlowFinding {
  const { hint = rule.remedy, related = [], fix, edgeId, variableId } = report
  return {
    code: rule.code,
    severity,
    message: shorten(report.message),
    ...(hint !== undefined && { hint: shorten(hint) }),
    pointer: report.pointer,
    ...ids,
    ...(edgeId !== undefined && { edgeId }),
    ...(variableId !== undefined && { variableId }),
    related: related.map(({ pointer, message }) => ({ pointer, message: shorten(message) })),
    ...(fix && { fix }),
    docs: `docs/rules.md#${rule.code}`,
  }
}

const shorten = (text: string) => (text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`)

/** The ids of what a pointer leads to or into. */
function idsAt(pointer: string, { flow }: FlowModel): Partial<FlowFinding> {
  const [list, index, inside, at] = tokensOf(pointer)
  if (index === undefined) return {}
  const idAt = (...tokens: string[]) => valueAt(flow, [...tokens, 'id'])
  const known = { groups: 'groupId', edges: 'edgeId', variables: 'variableId' }[String(list)]
  const id = known && idAt(String(list), index)
  const blockId =
    list === 'groups' && inside === 'blocks' && at ? idAt('groups', index, 'blocks', at) : undefined
  return {
    ...(known && typeof id === 'string' && { [known]: id }),
    ...(typeof blockId === 'string' && { blockId }),
  }
}

/** Applies rules to a flow; pauses after each block, and after each rule about the whole. */
export function* inspectModel(
  model: FlowModel,
  rules: readonly Rule[],
  options: LintOptions = {},
): Generator<void, readonly FlowFinding[]> {
  const active = rules.filter((rule) => isActive(rule, model, options))
  const suppressions = new SuppressionIndex(suppressionsOf(model.flow))
  const findings = new Findings(model, options, suppressions)
  const contexts = active.map((rule) => ({
    rule,
    context: { model, report: (report: Report) => findings.add(rule, report) },
  }))
  for (const { rule, context } of contexts) {
    if (options.isOver?.() === true) findings.stop('The check took too long')
    if (findings.isFull) break
    rule.checkFlow?.(context)
    if (rule.checkFlowByTurns) yield* rule.checkFlowByTurns(context)
    yield
  }
  const byKind = new Map<string, typeof contexts>()
  for (const placed of model.blocks) {
    const { type } = placed.block
    const hasFindings = placed.compiled.findings.length > 0
    const kind = hasFindings ? `${type} with findings` : type
    const fitting =
      byKind.get(kind) ?? contexts.filter(({ rule }) => rule.checkBlock && fits(rule, type, hasFindings))
    byKind.set(kind, fitting)
    for (const { rule, context } of fitting) rule.checkBlock?.(placed, context)
    yield
    if (options.isOver?.() === true) findings.stop('The check took too long')
    if (findings.isFull) break
  }
  return withRemarks(findings, { suppressions, active, options })
}

const isActive = (rule: Rule, { isHandWritten }: FlowModel, options: LintOptions) =>
  levelOf(rule, options) !== 'off' &&
  (rule.isForHandWritten !== true || isHandWritten || setLevelOf(rule, options) !== undefined)

const fits = ({ blockTypes, onlyWithFindings }: Rule, type: string, hasFindings: boolean) =>
  blockTypes?.includes(type) !== false && (hasFindings || !onlyWithFindings)

interface Remarks {
  readonly suppressions: SuppressionIndex
  readonly active: readonly Rule[]
  readonly options: LintOptions
}

/** Adds what is only known at the end. */
function withRemarks(findings: Findings, { suppressions, active, options }: Remarks): readonly FlowFinding[] {
  if (findings.isFull) {
    const report = { pointer: '', message: `${findings.stoppedBy}: not everything was looked at.` }
    return [...findings.list, findingOf(notAllChecked, 'info', { report, ids: {} })]
  }
  const codes = new Set(active.map(({ code }) => code))
  // A rule that is off finds nothing, so that what spares it may be of use another time.
  for (const { code, pointer } of codes.has(unusedSuppression.code) ? suppressions.unused() : []) {
    if (!codes.has(code) && isOff(code, options)) continue
    findings.add(unusedSuppression, {
      pointer,
      message: `There is no finding of "${code}" here to be ignored.`,
      hint: 'Delete the entry.',
      fix: { title: 'Delete the entry', patch: [{ op: 'remove', path: pointer }] },
    })
  }
  return findings.list
}

const isOff = (code: string, { rules }: LintOptions) => rules?.[code] === 'off'

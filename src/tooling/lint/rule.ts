import type { Fix, RelatedPlace, Severity } from './finding.ts'
import type { FlowModel } from './model/flow-model.ts'
import type { PlacedBlock } from './model/placed-block.ts'

/** Report of a rule about a place. The ids of the group, block, edge or variable at the pointer are added to it. */
export interface Report {
  readonly pointer: string
  readonly message: string
  readonly hint?: string
  /** Severity, where it differs from that of the rule. */
  readonly severity?: Severity
  readonly edgeId?: string | undefined
  readonly variableId?: string | undefined
  readonly related?: readonly RelatedPlace[]
  readonly fix?: Fix
}

/** Input of a rule, and the receiver of its reports. */
export interface RuleContext {
  readonly model: FlowModel
  report(report: Report): void
}

/**
 * One kind of mistake. A rule is a plain object without state: the page about the rules is made of its texts, and it
 * reads the model of a flow without changing it.
 */
export interface Rule {
  readonly code: string
  /** Of its findings, unless a report or the configuration says otherwise. */
  readonly severity: Severity
  /** Subject of its findings, in a few words. */
  readonly title: string
  /** Reason and remedy, as Markdown. */
  readonly description: string
  /** Remedy of findings that give no nearer hint: words to write instead. */
  readonly remedy?: string
  /** The types of the blocks that it looks at; absent for all. */
  readonly blockTypes?: readonly string[]
  /** Whether it looks only at blocks that found something themselves when they were prepared. */
  readonly onlyWithFindings?: boolean
  /** Whether it looks only at definitions that are written by hand (`"$schema"`), unless a level is set for it. */
  readonly isForHandWritten?: boolean
  /** Looks at one block. Cheap: others are served between blocks. */
  checkBlock?(placed: PlacedBlock, context: RuleContext): void
  /** Looks at the whole flow. */
  checkFlow?(context: RuleContext): void
  /** As `checkFlow`, for what takes longer: others are served where it pauses. */
  checkFlowByTurns?(context: RuleContext): Generator<void>
}

/** Declares a rule that can't be changed afterwards. */
export function defineRule(rule: Rule): Rule {
  return Object.freeze(rule)
}

/** Levels of a rule: off, or the severity of its findings. */
export const levels = ['off', 'info', 'warning', 'error'] as const
export type Level = (typeof levels)[number]

/** Which rules are applied, and how. */
export interface LintOptions {
  /** `strict` takes for a warning what is an info otherwise. */
  readonly base?: 'recommended' | 'strict' | undefined
  /** By the codes of the rules. */
  readonly rules?: Readonly<Record<string, Level>> | undefined
  /** Findings that are less grave are left out. */
  readonly minSeverity?: Severity | undefined
  /** Asked between blocks: a check whose time is over ends with a finding that says so. */
  readonly isOver?: (() => boolean) | undefined
}

/** The level that was set for a rule; undefined where none was. */
export function setLevelOf({ code }: Pick<Rule, 'code'>, { rules }: LintOptions): Level | undefined {
  return rules && Object.hasOwn(rules, code) ? rules[code] : undefined
}

/** The level of a rule. */
export function levelOf(rule: Pick<Rule, 'code' | 'severity'>, options: LintOptions): Level {
  const { base } = options
  return (
    setLevelOf(rule, options) ?? (base === 'strict' && rule.severity === 'info' ? 'warning' : rule.severity)
  )
}

/** The severity of a finding: a level that was set outweighs what the rule says of a single place. */
export function severityOf(rule: Rule, reported: Severity | undefined, options: LintOptions): Severity {
  const level = levelOf(rule, options)
  if (reported === undefined || setLevelOf(rule, options) !== undefined || level === 'off')
    return level === 'off' ? rule.severity : level
  return reported === 'info' && options.base === 'strict' ? 'warning' : reported
}

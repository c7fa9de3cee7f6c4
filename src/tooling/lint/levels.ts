import type { Severity } from './finding.ts'
import type { Rule } from './rule.ts'

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

import { type FlowFacts, factsOf } from './facts.ts'
import type { FlowFinding, Severity } from './finding.ts'
import type { LintedFlow } from './lint-flow.ts'

/** Findings and facts of a flow. */
export interface FlowReport {
  /** Whether there is no error. */
  readonly valid: boolean
  /** Whether a start would take it. */
  readonly runnable: boolean
  /** Number of findings of each severity. */
  readonly summary: Readonly<Record<Severity, number>>
  readonly findings: readonly FlowFinding[]
  /** Absent when the flow can't be run. */
  readonly facts?: FlowFacts
}

/** The report on a flow that can be run. */
export function reportOn({ model, findings }: LintedFlow): FlowReport {
  return { ...summarise(findings), runnable: true, findings, facts: factsOf(model) }
}

/** The report on a definition that is refused. */
export function reportOnRefused(findings: readonly FlowFinding[]): FlowReport {
  return { ...summarise(findings), runnable: false, findings }
}

function summarise(findings: readonly FlowFinding[]): Pick<FlowReport, 'valid' | 'summary'> {
  const summary = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) summary[severity] += 1
  return { valid: summary.error === 0, summary }
}

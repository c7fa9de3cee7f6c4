import type { Static } from '@sinclair/typebox'
import type { LintFinding } from '../../../schemas/validate-flow.ts'

/** Severities of a finding: `error` for what will fail, `warning` for what probably does, `info` for the rest. */
const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** Something in a definition that its author should know. */
export type FlowFinding = Static<typeof LintFinding>

/** Another place that has to do with a finding. */
export type RelatedPlace = FlowFinding['related'][number]

/** A change of the definition that certainly mends what was found: a title, and a JSON patch (RFC 6902). */
export type Fix = NonNullable<FlowFinding['fix']>

/** Problem and remedy, as one text. */
export function sentenceOf({ message, hint }: Pick<FlowFinding, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/** Whether a finding of this severity is at least as grave as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least)
}

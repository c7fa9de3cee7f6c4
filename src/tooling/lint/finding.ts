import type { Range } from './model/source-ranges.ts'

/** Severities of a finding: `error` for what will fail, `warning` for what probably does, `info` for the rest. */
export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** Another place that has to do with a finding. */
export interface RelatedPlace {
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly message: string
}

/** One step of a JSON patch (RFC 6902). */
export type PatchStep =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }

/** A change of the definition that certainly mends what was found. */
export interface Fix {
  readonly title: string
  readonly patch: readonly PatchStep[]
}

/** Something in a definition that its author should know. */
export interface FlowFinding {
  /** Stable: the name of the rule that found it. */
  readonly code: string
  readonly severity: Severity
  /** The problem. */
  readonly message: string
  /** The remedy, where the message does not name it. */
  readonly hint?: string
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly groupId?: string
  readonly blockId?: string
  readonly edgeId?: string
  readonly variableId?: string
  readonly related: readonly RelatedPlace[]
  /** Place in the text of the definition, where that is known. */
  readonly range?: Range
  readonly fix?: Fix
  /** Address of the section about the rule, below the documentation. */
  readonly docs: string
}

/** Problem and remedy, as one text. */
export function sentenceOf({ message, hint }: Pick<FlowFinding, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/** Whether a finding of this severity is at least as grave as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least)
}

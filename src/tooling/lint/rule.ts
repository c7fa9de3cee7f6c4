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

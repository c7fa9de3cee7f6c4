import type { Json } from '../../../support/json.ts'
import type { LintGiven } from '../../../support/lint.ts'

/** What shows a rule: flows with exactly its mistake, and their twins without. */
export interface RuleCase extends Pick<LintGiven, 'surroundings'> {
  readonly code: string
  /** Flows with the pointers of what the rule finds in them. */
  readonly finds: readonly (readonly [definition: Json, ...pointers: readonly string[]])[]
  /** Flows in which it finds nothing. */
  readonly spares: readonly Json[]
}

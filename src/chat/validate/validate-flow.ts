import { ServiceError } from '../../errors.ts'
import { type FlowReport, reportOn, reportOnRefused } from '../../lint/flow-report.ts'
import { findingsOfProblems, lintFlow } from '../../lint/lint-flow.ts'
import type { ModelSource } from '../../lint/model/flow-model.ts'
import { rulesByCode } from '../../lint/rules/index.ts'
import type { ValidateRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { ReadFlow } from '../session/program-cache.ts'
import { withTurnLimits } from '../turn/preview-limits.ts'
import { BudgetedWork } from './budgeted-work.ts'
import { surroundingsFor } from './surroundings-for.ts'

/**
 * Checks a definition (docs/api.md 4.17), whatever is wrong with it: what a start would refuse is a finding. It takes as
 * long as a turn of a preview may, and keeps nothing. Throws BAD_REQUEST for a rule that does not exist.
 */
export async function validateFlow(request: ValidateRequest, deps: ChatDependencies): Promise<FlowReport> {
  const { flow: definition, rules, minSeverity } = request.body
  refuseUnknownRules(rules)
  const isTrusted = request.caller?.kind === 'preview'
  const work = new BudgetedWork(withTurnLimits({ kind: 'preview', isTrusted }, deps))
  const read = await readFlow(definition, work, deps)
  if (read instanceof ServiceError) return reportOnRefused(findingsOfProblems(read.problems ?? []))
  const surroundings = await surroundingsFor(isTrusted, deps)
  const source: ModelSource = { ...read, definition, surroundings }
  const linted = await work.run(lintFlow(source, { rules, minSeverity, isOver: () => work.isOver }))
  return reportOn(linted)
}

function refuseUnknownRules(rules: ValidateRequest['body']['rules'] = {}): void {
  const problems = Object.keys(rules)
    .filter((code) => !rulesByCode.has(code))
    .slice(0, 20)
    .map((code) => ({
      pointer: `/rules/${code.slice(0, 100)}`,
      message: 'no rule has this code (docs/rules.md)',
    }))
  if (problems.length > 0) throw new ServiceError('BAD_REQUEST', 'Input validation failed', { problems })
}

async function readFlow(
  definition: unknown,
  work: BudgetedWork,
  { drafts }: ChatDependencies,
): Promise<ReadFlow | ServiceError> {
  try {
    return await work.run(drafts.read(definition))
  } catch (error) {
    if (error instanceof ServiceError && error.problems) return error
    throw error
  }
}

import type { Finding, FindingCode } from '../../../engine/model/findings.ts'
import type { CompiledBlock } from '../../../engine/model/program.ts'
import type { FlowModel } from '../model/flow-model.ts'
import { defineRule, type Report, type Rule } from '../rule.ts'

/** A rule whose findings blocks report themselves when they are prepared. */
interface CompiledRule extends Pick<Rule, 'severity' | 'title' | 'description' | 'remedy'> {
  readonly code: FindingCode
  /** Adds to a report what the block can't know. */
  readonly refine?: (finding: Finding, model: FlowModel) => Partial<Report>
}

/** Declares a rule for what blocks find out when they are prepared. */
export function defineCompiledRule({ refine, ...rule }: CompiledRule): Rule {
  return defineRule({
    ...rule,
    onlyWithFindings: true,
    checkBlock({ compiled }, { model, report }) {
      for (const finding of reportedBy(compiled, rule.code)) {
        const { pointer, severity, hint: message } = finding
        report({ pointer, severity, message, ...refine?.(finding, model) })
      }
    },
  })
}

function reportedBy({ findings }: CompiledBlock, wanted: FindingCode): readonly Finding[] {
  return findings.filter(({ code }) => code === wanted)
}

import type { Static } from '@sinclair/typebox'
import type { ValidateFlowResponse } from '../../../schemas/validate-flow.ts'
import type { FlowFinding } from './finding.ts'
import type { LintedFlow } from './lint-flow.ts'
import type { FlowModel } from './model/flow-model.ts'
import { accountOf, type PlacedBlock } from './model/placed-block.ts'
import { hostOf } from './model/requests.ts'

/** Findings and facts of a flow. */
export type FlowReport = Static<typeof ValidateFlowResponse>

/** Parts and dependencies of a flow, for reviewers of a flow that others have made. */
type FlowFacts = NonNullable<FlowReport['facts']>

/** Elements of each list, which can be as long as the definition. */
const mostListed = 500

const list = (values: readonly string[]) => [...new Set(values)].slice(0, mostListed)

/** Collects the facts of a flow. */
export function factsOf({ flow, program, blocks, uses }: FlowModel): FlowFacts {
  return {
    groups: flow.groups.length,
    blocks: blocks.length,
    inputs: blocks.filter(({ kind }) => kind === 'input').length,
    variables: program.variables.all.slice(0, mostListed).map(({ id, name }) => {
      const { reads, writes } = uses.of(id)
      return { id, name, reads: reads.length, writes: writes.length }
    }),
    accounts: list(blocks.flatMap((placed) => accountOf(placed)?.id ?? [])),
    links: list(blocks.flatMap((placed) => linkOf(placed) ?? [])),
    hosts: list(blocks.flatMap(({ block }) => hostOf(block) ?? [])),
    uploads: blocks.some(({ block, marks }) => marks.takesUploads?.(block)),
    mails: blocks.some(({ marks }) => marks.mails),
    clientOnlyBlocks: list(
      blocks.filter(({ block, marks }) => marks.isClientOnly?.(block)).map(({ block }) => block.type),
    ),
  }
}

function linkOf({ block, marks }: PlacedBlock): string | undefined {
  const { flowId } = marks.leadsTo?.(block) ?? {}
  return flowId && flowId !== 'current' ? flowId : undefined
}

/** The report on a flow that can be run. */
export function reportOn({ model, findings }: LintedFlow): FlowReport {
  return { ...summarise(findings), runnable: true, facts: factsOf(model) }
}

/** The report on a definition that is refused. */
export function reportOnRefused(findings: readonly FlowFinding[]): FlowReport {
  return { ...summarise(findings), runnable: false }
}

function summarise(findings: readonly FlowFinding[]): Pick<FlowReport, 'valid' | 'summary' | 'findings'> {
  const summary = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) summary[severity] += 1
  return { valid: summary.error === 0, summary, findings: [...findings] }
}

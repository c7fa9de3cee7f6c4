import type { Flow } from '../../../schemas/flow.ts'
import type { FindingSummary } from '../../../schemas/flow-state.ts'
import type { Program } from '../../engine/model/program.ts'
import { type FlowFinding, sentenceOf } from './finding.ts'
import { byTurns, lintFlow } from './lint-flow.ts'
import type { Surroundings } from './model/surroundings/surroundings.ts'

/**
 * Finds what is wrong or probably wrong with a flow that is published, in the place of what is served by then; what is only
 * worth a look is left out.
 */
export async function inspectPublication(
  published: { readonly flow: Flow; readonly program: Program },
  yieldToEventLoop: () => Promise<void> | undefined,
  served?: Surroundings['served'],
): Promise<readonly FindingSummary[]> {
  // Links may lead to files that are published a moment later.
  const source = { ...published, definition: published.flow, surroundings: { served } }
  const { findings } = await byTurns(lintFlow(source, { minSeverity: 'warning' }), yieldToEventLoop)
  return findings.flatMap(toPublished)
}

function toPublished(finding: FlowFinding): FindingSummary[] {
  const { severity, code, pointer, blockId } = finding
  if (severity === 'info') return []
  return [{ severity, code, pointer, ...(blockId !== undefined && { blockId }), hint: sentenceOf(finding) }]
}

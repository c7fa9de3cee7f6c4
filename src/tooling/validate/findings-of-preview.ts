import type { ChatDependencies, PreviewSource } from '../../conversations/dependencies.ts'
import type { FlowFinding } from '../lint/finding.ts'
import { lintFlow } from '../lint/lint-flow.ts'
import { BudgetedWork } from './budgeted-work.ts'
import { surroundingsFor } from './surroundings-for.ts'

/** Checks the flow of a preview (docs/api.md 2.3), in the time of another turn. */
export async function findingsOfPreview(
  { body, sentBody, published }: PreviewSource,
  isTrusted: boolean,
  deps: ChatDependencies,
): Promise<readonly FlowFinding[]> {
  const work = new BudgetedWork(deps)
  const read = published ?? (sentBody && (await work.run(deps.drafts.readDraft(body, sentBody))))
  if (!read) return []
  const surroundings = await surroundingsFor(isTrusted, deps)
  const source = { definition: read.flow, ...read, surroundings }
  const { findings } = await work.run(lintFlow(source, { isOver: () => work.isOver }))
  return findings
}

import type { RawJsonBody } from '../../ports/raw-json-body.ts'
import type { FlowFinding } from '../../tooling/lint/finding.ts'
import { lintFlow } from '../../tooling/lint/lint-flow.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { DraftBody, ReadFlow } from '../session/program-cache.ts'
import { BudgetedWork } from './budgeted-work.ts'
import { surroundingsFor } from './surroundings-for.ts'

/** Where the flow of a preview comes from. */
interface PreviewSource {
  readonly body: DraftBody
  readonly sentBody: RawJsonBody | undefined
  /** Undefined for a draft. */
  readonly published: ReadFlow | undefined
}

/** What a check says about the flow of a preview (docs/api.md 2.3), in the time of another turn. */
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

import { answerLabel } from '../../results/answer-label.ts'
import { isImported } from '../../results/import/imported-id.ts'
import { unmaskedResult } from '../../results/masked-result.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { ResultStore } from '../../stores/result-store.ts'
import type { RememberedVariable } from './initial-variables.ts'

/** State that an earlier run of the same visitor left behind, which a start goes on with. */
export interface ReturningVisitor {
  readonly resultId: string
  readonly variables: readonly RememberedVariable[]
  readonly answers: ReadonlyMap<string, string>
}

/**
 * Finds the result that a visitor brought along, where the flow remembers its visitors (docs/api.md 4.1). One that
 * is unknown, erased or another flow's is ignored.
 */
export async function findReturningVisitor(
  { flow, program }: PublishedFlow,
  resultId: string,
  results: ResultStore,
): Promise<ReturningVisitor | undefined> {
  if (!program.remembersVisitors || isImported({ id: resultId })) return undefined
  const kept = await results.get(flow.id, resultId)
  if (!kept) return undefined
  const result = unmaskedResult(kept)
  const answers = new Map(
    result.answers.map(({ blockId, content }) => [answerLabel(program, blockId) ?? 'unknown', content]),
  )
  return { resultId: result.id, variables: result.variables, answers }
}

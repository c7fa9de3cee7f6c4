import { answerLabel } from '../../results/answer-label.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { Result, ResultStore } from '../../stores/result-store.ts'
import type { Remembered } from './run-first-turn.ts'

/** An earlier run that a start goes on with. */
export interface EarlierResult {
  readonly result: Result
  readonly remembered: Remembered
}

/**
 * Finds the result that a visitor brought along, where the flow remembers its visitors (docs/api.md 4.1). One that
 * is unknown, erased or another flow's is as good as none.
 */
export async function findReturningVisitor(
  { flow, program }: PublishedFlow,
  resultId: string,
  results: ResultStore,
): Promise<EarlierResult | undefined> {
  if (!program.remembersVisitors) return undefined
  const result = await results.get(flow.id, resultId)
  if (!result) return undefined
  const answers = new Map(
    result.answers.map(({ blockId, content }) => [answerLabel(program, blockId) ?? 'unknown', content]),
  )
  return { result, remembered: { variables: result.variables, answers } }
}

import { ServiceError } from '../../lib/errors.ts'
import type { Result } from '../../stores/result-store.ts'
import type { ChatDependencies } from '../dependencies.ts'

export interface ResultRequest {
  /** The id of the flow that the result belongs to, or its public id. */
  readonly flowId: string
  readonly resultId: string
}

/** Returns the id of the session that wrote to a result last. Throws NOT_FOUND. */
export async function sessionOfResult(
  request: ResultRequest,
  deps: Pick<ChatDependencies, 'published' | 'results'>,
): Promise<string> {
  return (await findResult(request, deps)).lastChatSessionId
}

/** Finds a result. The flow may have been taken down since: its results are then found by its own id. Throws NOT_FOUND. */
export async function findResult(
  { flowId, resultId }: ResultRequest,
  { published, results }: Pick<ChatDependencies, 'published' | 'results'>,
): Promise<Result> {
  const flow = await published.byFlowId(flowId)
  const result =
    (flow && (await results.get(flow.program.id, resultId))) ?? (await results.get(flowId, resultId))
  if (!result) throw new ServiceError('NOT_FOUND', 'Result not found.')
  return result
}

import type { TranscriptBody } from '../../../schemas/take-over.ts'
import { ServiceError } from '../../lib/errors.ts'
import { unmaskedResult } from '../../results/masked-result.ts'
import { areResultsKept } from '../../results/result-updates.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { openSession, type SessionRequest } from '../session/open-session.ts'

interface TranscriptRequest extends SessionRequest {
  readonly limit: number
  /** Of the page behind; absent for the last one. */
  readonly cursor?: string | undefined
}

/**
 * Returns what was said in a live session, the latest page first (docs/api.md 4.28), as its result has it. Throws as a look does,
 * and NOT_FOUND for what keeps no results.
 */
export async function readTranscript(
  { limit, cursor, ...request }: TranscriptRequest,
  deps: ChatDependencies,
): Promise<TranscriptBody> {
  const { conversation } = await openSession(request, deps)
  const { program, resultId } = conversation.frames[0]
  if (resultId === undefined || !areResultsKept(program, deps))
    throw new ServiceError(
      'NOT_FOUND',
      'No transcript is kept: previews have none, nor flows whose results nobody can read',
    )
  const result = await deps.results.get(program.id, resultId)
  const { transcript } = result ? unmaskedResult(result) : { transcript: [] }
  const end = cursor === undefined ? transcript.length : Math.min(Number(cursor), transcript.length)
  const first = Math.max(0, end - limit)
  const lines = transcript.slice(first, end)
  return first === 0 ? { lines } : { lines, nextCursor: String(first) }
}
